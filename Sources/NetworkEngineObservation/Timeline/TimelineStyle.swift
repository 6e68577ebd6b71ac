/// A timeline's style, in light and dark.
enum TimelineStyle {
    static let text = #"""
        :root {
          --back: #ffffff; --panel: #f6f7f9; --line: #dfe3e8; --text: #1c2024; --soft: #60666e; --hover: #eef2f8;
          --pick: #dbe8fd; --accent: #1a66d6; --bad: #c62828; --good: #1b7f3b; --warn: #9a6200; --code: #f3f4f6;
          --blocked: #b6bcc5; --dns: #2a9d8f; --connect: #e28a1b; --ssl: #9b5de5; --send: #8a6d3b; --wait: #4caf63;
          --receive: #3b82f6; --backoff: #a9b1bc; --refresh: #d6409f; --cache: #0891b2; --decoding: #6b7280;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #15181c; --panel: #1c2025; --line: #31373f; --text: #e7eaee; --soft: #9aa3ad; --hover: #20262e;
            --pick: #24364f; --accent: #7db1ff; --bad: #ff7b72; --good: #5fd07f; --warn: #e3b341; --code: #1f242a;
            --blocked: #59616b; --dns: #2fb5a5; --connect: #e79a3c; --ssl: #b083f0; --send: #c0a062; --wait: #3fa85a;
            --receive: #4d8ff7; --backoff: #6f7985; --refresh: #e056ac; --cache: #22b3cf; --decoding: #8b949e;
          }
        }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body {
          display: flex; flex-direction: column; background: var(--back); color: var(--text);
          font: 13px/1.45 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
        }
        header {
          display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 8px 14px;
          border-bottom: 1px solid var(--line); background: var(--panel);
        }
        h1 { font-size: 14px; font-weight: 600; margin: 0; }
        #filter {
          flex: 0 1 300px; min-width: 160px; padding: 4px 9px; font: inherit; color: inherit; background: var(--back);
          border: 1px solid var(--line); border-radius: 6px;
        }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
        #summary { color: var(--soft); font-variant-numeric: tabular-nums; }
        #legend { display: flex; flex-wrap: wrap; gap: 3px 11px; margin-left: auto; color: var(--soft); font-size: 12px; }
        #legend span { white-space: nowrap; }
        #legend i { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 4px; }
        main { flex: 1; display: flex; min-height: 0; }
        #list { flex: 1; display: flex; flex-direction: column; min-width: 0; min-height: 0; }
        #heads, .row { display: flex; align-items: stretch; }
        #heads {
          color: var(--soft); font-size: 12px; border-bottom: 1px solid var(--line); height: 25px; line-height: 25px;
        }
        #scroll { flex: 1; min-height: 0; overflow-y: scroll; overflow-x: hidden; position: relative; }
        #scroll:focus-visible { outline: none; }
        #space { position: relative; }
        #rows { position: absolute; left: 0; right: 0; top: 0; }
        .row { height: 28px; line-height: 28px; border-bottom: 1px solid var(--line); cursor: default; }
        .row:hover { background: var(--hover); }
        .row.picked { background: var(--pick); box-shadow: inset 3px 0 var(--accent); }
        .name { flex: 0 0 38%; padding: 0 8px 0 14px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
        .status { flex: 0 0 76px; padding: 0 6px; overflow: hidden; white-space: nowrap; }
        .time { flex: 0 0 78px; padding: 0 10px 0 0; text-align: right; font-variant-numeric: tabular-nums; }
        .bars { flex: 1; position: relative; min-width: 0; overflow: hidden; border-left: 1px solid var(--line); }
        .method { font-weight: 600; margin-right: 6px; }
        .host, .operation { color: var(--soft); margin-left: 7px; }
        .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .soft { color: var(--soft); }
        .bar { position: absolute; top: 8px; height: 11px; min-width: 1px; }
        .first { border-top-left-radius: 2px; border-bottom-left-radius: 2px; min-width: 2px; }
        .span { position: absolute; top: 13px; height: 1px; background: var(--blocked); }
        .attempt { position: absolute; bottom: 4px; height: 2px; min-width: 2px; background: var(--soft); opacity: .45; }
        .attempt.failed { background: var(--bad); opacity: .8; }
        .blocked { background: var(--blocked); } .dns { background: var(--dns); } .connect { background: var(--connect); }
        .ssl { background: var(--ssl); } .send { background: var(--send); } .wait { background: var(--wait); }
        .receive { background: var(--receive); } .refresh { background: var(--refresh); }
        .decoding { background: var(--decoding); }
        .cache { background: var(--cache); min-width: 4px; }
        .failed-mark { background: var(--bad); min-width: 3px; }
        .backoff {
          background: repeating-linear-gradient(45deg, var(--backoff) 0 3px, transparent 3px 6px);
          border: 1px solid var(--backoff);
        }
        .tick { position: absolute; top: 0; bottom: 0; border-left: 1px solid var(--line); padding-left: 4px; white-space: nowrap; }
        #empty { padding: 40px; text-align: center; color: var(--soft); }
        #details { flex: 0 0 44%; min-width: 0; border-left: 1px solid var(--line); background: var(--panel); overflow: auto; padding: 12px 16px 40px; }
        #details h2 { font-size: 14px; margin: 0 30px 4px 0; overflow-wrap: anywhere; }
        #details h3 { font-size: 13px; margin: 18px 0 4px; padding-top: 12px; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
        #details h4 { font-size: 12px; margin: 10px 0 3px; color: var(--soft); font-weight: 600; display: flex; align-items: center; gap: 8px; }
        #close { position: sticky; float: right; top: 0; }
        button {
          font: inherit; font-size: 12px; line-height: 1.3; color: inherit; background: var(--back); border: 1px solid var(--line);
          border-radius: 5px; padding: 2px 8px; cursor: pointer;
        }
        button:hover { background: var(--hover); }
        pre {
          margin: 0; padding: 7px 9px; background: var(--code); border: 1px solid var(--line); border-radius: 6px; overflow: auto;
          max-height: 340px; white-space: pre-wrap; overflow-wrap: anywhere;
          font: 12px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        .fields { display: grid; grid-template-columns: minmax(90px, max-content) 1fr; gap: 1px 12px; margin: 0; }
        .fields dt { color: var(--soft); overflow-wrap: anywhere; max-width: 190px; }
        .fields dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
        .strip { position: relative; height: 12px; margin: 6px 0 4px; background: var(--code); border-radius: 3px; overflow: hidden; }
        .strip .bar { top: 0; height: 12px; }
        .swatch { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 5px; }
        .note { color: var(--soft); font-style: italic; }
        @media (max-width: 900px) {
          main { flex-direction: column; }
          #details { flex: 0 0 55%; border-left: 0; border-top: 1px solid var(--line); }
          .name { flex-basis: 46%; }
          #legend { display: none; }
        }
        """#
}
