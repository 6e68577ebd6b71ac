/// A timeline's script: the list of calls. Only the rows in view are in the document.
///
/// All text is set as node content, never as markup.
enum TimelineScript {
    static let text = #"""
        "use strict";
        const lines = document.getElementById("data").textContent.trim().split("\n");
        const head = JSON.parse(lines[0]);
        const calls = lines.slice(1).map(line => JSON.parse(line));
        const byId = id => document.getElementById(id);
        const [scroll, space, heads, rows, filter, axis] = ["scroll", "space", "heads", "rows", "filter", "axis"].map(byId);
        const rowHeight = 28;
        const phases = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"];
        let matching = calls;
        let shown = calls;
        // The first calls of rows of equal ones that are shown one by one.
        const unfolded = new Set();
        let picked = -1;
        let fitsView = calls.length > 200;

        function make(tag, className, text) {
          const node = document.createElement(tag);
          if (className) node.className = className;
          if (text !== undefined && text !== null) node.textContent = text;
          return node;
        }

        function duration(ms) {
          if (ms === undefined || ms === null) return "…";
          if (ms < 1) return (ms * 1000).toFixed(0) + " µs";
          if (ms < 10) return ms.toFixed(1) + " ms";
          if (ms < 10000) return ms.toFixed(0) + " ms";
          return ms < 600000 ? (ms / 1000).toFixed(1) + " s" : (ms / 60000).toFixed(1) + " min";
        }

        function endOf(call) {
          if (call.end === undefined) {
            call.end = call.duration ?? Math.max(0, ...call.exchanges.map(e => e.start + e.entry.time),
              ...call.steps.map(s => s.end ?? s.start));
          }
          return call.end;
        }

        function outcome(call) {
          if (call.isCanceled) return ["canceled", "soft"];
          if (call.duration === undefined) return ["open", "warn"];
          if (call.status) {
            const name = call.status >= 400 ? "bad" : call.status >= 300 ? "warn" : "good";
            return [call.error && call.status < 400 ? call.status + " failed" : String(call.status), call.error ? "bad" : name];
          }
          return call.error !== undefined ? ["failed", "bad"] : ["done", "good"];
        }

        // Shows the mark of a redacted value as it is written elsewhere, without the escapes that it has in an address.
        function readable(url) {
          return url.replace(/%3C(redacted(?::[0-9a-f]+)?)%3E/gi, "<$1>");
        }

        function place(address) {
          const url = readable(address);
          const at = url.indexOf("://");
          const slash = url.indexOf("/", at < 0 ? 0 : at + 3);
          if (at < 0) return [url, ""];
          return slash < 0 ? ["/", url.slice(at + 3)] : [url.slice(slash), url.slice(at + 3, slash)];
        }

        // The parts of a call with their classes and times since its start.
        function parts(call) {
          if (call.parts) return call.parts;
          const parts = [];
          for (const step of call.steps) {
            const end = step.end ?? endOf(call);
            if (step.kind === "attempt" || (step.kind === "cache" && step.text === "miss")) continue;
            const isPause = step.kind === "wait" || step.kind === "reconnection";
            parts.push({ name: isPause ? "backoff" : step.kind, start: step.start, end });
          }
          for (const exchange of call.exchanges) parts.push(...exchangeParts(exchange));
          return call.parts = parts;
        }

        function exchangeParts(exchange) {
          const { timings, time, response } = exchange.entry;
          let at = exchange.start;
          const parts = [];
          if (exchange.entry._cache === "hit" || exchange.entry._cache === "stale") {
            return [{ name: "cache", start: at, end: at + time, first: true }];
          }
          for (const name of phases) {
            let length = timings[name] ?? -1;
            if (name === "connect" && timings.ssl > 0) length -= timings.ssl;
            if (length <= 0) continue;
            parts.push({ name, start: at, end: at + length, first: parts.length === 0 });
            at += length;
          }
          if (response._error && response._error !== "canceled") {
            parts.push({ name: "failed-mark", start: at, end: at, first: parts.length === 0 });
          }
          return parts;
        }

        function setBar(node, start, end, from, span) {
          node.style.left = (100 * (start - from) / span) + "%";
          node.style.width = (100 * Math.max(0, end - start) / span) + "%";
          return node;
        }

        function makeRow(call, index, from, span) {
          const row = make("div", index === picked ? "row picked" : "row");
          row.id = "row-" + index;
          row.setAttribute("role", "option");
          row.setAttribute("aria-selected", String(index === picked));
          row.addEventListener("click", () => { pick(index); openDetails(call); });
          if (call.fold) {
            row.append(make("div", "name soft", "… " + call.fold.length + " more calls like this"));
            return row;
          }
          const [path, host] = place(call.url);
          const spoken = [call.method, path, call.operation, host, outcome(call)[0], call.attempts > 1 ? call.attempts + " attempts" : "",
            duration(call.duration)];
          row.setAttribute("aria-label", spoken.filter(x => x).join(", "));
          const name = make("div", "name");
          name.append(make("span", "method", call.method), document.createTextNode(path));
          if (call.operation) name.append(make("span", "operation", call.operation));
          name.append(make("span", "host", host));
          name.title = readable(call.url);
          const [status, kind] = outcome(call);
          const state = make("div", "status " + kind, status);
          if (call.attempts > 1) state.append(make("span", "soft", " ×" + call.attempts));
          const bars = make("div", "bars");
          bars.append(setBar(make("div", "span"), call.start, call.start + endOf(call), from, span));
          for (const step of call.steps) {
            if (step.kind !== "attempt" || call.attempts < 2) continue;
            const isFailed = step.attempt < call.attempts || call.error !== undefined;
            const node = make("div", isFailed ? "attempt failed" : "attempt");
            bars.append(setBar(node, call.start + step.start, call.start + (step.end ?? endOf(call)), from, span));
          }
          const all = parts(call);
          if (all.length === 0) all.push({ name: "blocked", start: 0, end: endOf(call), first: true });
          for (const part of all) {
            const node = make("div", "bar " + part.name + (part.first ? " first" : ""));
            bars.append(setBar(node, call.start + part.start, call.start + part.end, from, span));
          }
          row.append(name, state, make("div", "time", duration(call.duration)), bars);
          return row;
        }

        // The range of time of the calls in view, or of all that are shown.
        function range(visible) {
          let [from, to] = [Infinity, -Infinity];
          for (const call of fitsView ? visible : shown) {
            from = Math.min(from, call.start);
            to = Math.max(to, call.start + endOf(call));
          }
          if (!(to > from)) to = from + 1;
          return [from, (to - from) * 1.02];
        }

        function drawAxis(from, span) {
          const powers = Array.from({ length: 12 }, (_, power) => 10 ** (power - 2));
          const steps = powers.flatMap(power => [1, 2, 5].map(x => x * power));
          const most = Math.max(2, axis.clientWidth / 75);
          const step = steps.find(step => span / step <= most) ?? span / most;
          const nodes = [];
          for (let at = Math.ceil(from / step) * step; at < from + span && nodes.length < 100; at += step) {
            const hasRoom = axis.clientWidth * (from + span - at) / span > 55;
            const node = make("div", "tick", !hasRoom ? "" : at === 0 ? "0" : duration(at));
            node.style.left = (100 * (at - from) / span) + "%";
            nodes.push(node);
          }
          axis.replaceChildren(...nodes);
        }

        function draw() {
          const first = Math.max(0, Math.floor(scroll.scrollTop / rowHeight) - 4);
          const count = Math.ceil(scroll.clientHeight / rowHeight) + 8;
          const visible = shown.slice(first, first + count);
          const inView = shown.slice(Math.floor(scroll.scrollTop / rowHeight), Math.ceil((scroll.scrollTop + scroll.clientHeight) / rowHeight));
          const [from, span] = range(inView);
          space.style.height = shown.length * rowHeight + "px";
          rows.style.transform = "translateY(" + first * rowHeight + "px)";
          const nodes = visible.map((call, index) => makeRow(call, first + index, from, span));
          if (shown.length === 0) nodes.push(make("div", "note", calls.length === 0 ? "No calls were recorded." : "No call matches the filter."));
          if (shown.length === 0) nodes[0].id = "empty";
          rows.replaceChildren(...nodes);
          scroll.setAttribute("aria-activedescendant", picked < 0 ? "" : "row-" + picked);
          heads.style.paddingRight = scroll.offsetWidth - scroll.clientWidth + "px";
          drawAxis(from, span);
        }

        let isScheduled = false;
        function scheduleDraw() {
          if (isScheduled) return;
          isScheduled = true;
          requestAnimationFrame(() => { isScheduled = false; draw(); });
        }

        function summarize() {
          const failed = matching.filter(call => call.error !== undefined && !call.isCanceled).length;
          const isAll = matching.length === calls.length;
          const count = isAll ? calls.length + " calls" : matching.length + " of " + calls.length + " calls";
          byId("summary").textContent = [count, failed > 0 ? failed + " failed" : "", head.note ?? ""].filter(x => x).join(" · ");
        }

        function pick(index) {
          if (shown.length === 0) return;
          picked = Math.min(Math.max(index, 0), shown.length - 1);
          const top = picked * rowHeight;
          if (top < scroll.scrollTop) scroll.scrollTop = top;
          const bottom = top + rowHeight - scroll.clientHeight;
          if (bottom > scroll.scrollTop) scroll.scrollTop = bottom;
          if (!details.hidden) openDetails(shown[picked]);
          scheduleDraw();
        }

        function start() {
          const legend = [["blocked", "queued"], ["dns", "lookup"], ["connect", "connect"], ["ssl", "TLS"], ["wait", "wait"],
            ["receive", "receive"], ["backoff", "pause"], ["refresh", "refresh"], ["cache", "cache"], ["decoding", "decode"],
            ["failed-mark", "failure"]];
          byId("legend").append(...legend.map(([name, text]) => {
            const item = make("span");
            item.append(make("i", name), document.createTextNode(text));
            return item;
          }));
          scroll.addEventListener("scroll", scheduleDraw, { passive: true });
          addEventListener("resize", scheduleDraw);
          filter.addEventListener("input", applyFilter);
          addEventListener("keydown", onKey);
          shown = fold(calls);
          summarize();
          draw();
          scroll.focus();
          document.documentElement.dataset.ready = performance.now().toFixed(0);
        }

        """#
}
