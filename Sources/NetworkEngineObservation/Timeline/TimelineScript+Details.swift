extension TimelineScript {
    /// The script for the details and the keyboard.
    static let details = #"""
        const details = byId("details");

        function field(list, name, value) {
          if (value === undefined || value === null || value === "") return;
          list.append(make("dt", "", name), make("dd", "", String(value)));
        }

        function fields(pairs) {
          const list = make("dl", "fields");
          for (const [name, value] of pairs) field(list, name, value);
          return list;
        }

        function headers(fieldList) {
          return fields(fieldList.map(field => [field.name, field.value === "" ? "(empty)" : field.value]));
        }

        // JSON is indented only if no value changes by that.
        function pretty(text) {
          try {
            const value = JSON.parse(text);
            if (typeof value !== "object" || JSON.stringify(value) !== text.replace(/\s+$/, "")) return text;
            return JSON.stringify(value, null, 2);
          } catch { return text; }
        }

        function bodyNodes(title, text, isBase64, comment, size) {
          const nodes = [make("h4", "", title + (size > 0 ? " · " + size.toLocaleString("en") + " bytes" : ""))];
          if (text) {
            nodes.push(make("pre", "", isBase64 ? "Base64: " + text : pretty(text)));
          } else if (!comment) {
            return [];
          }
          if (comment) nodes.push(make("div", "note", comment));
          return nodes;
        }

        function copyButton(text, pre) {
          const button = make("button", "", "Copy");
          button.addEventListener("click", async () => {
            try {
              await navigator.clipboard.writeText(text);
              button.textContent = "Copied";
            } catch {
              getSelection().selectAllChildren(pre);
              button.textContent = "Selected";
            }
          });
          return button;
        }

        function timingNodes(exchange) {
          const time = exchange.entry.time;
          const strip = make("div", "strip");
          for (const part of exchangeParts(exchange)) {
            strip.append(setBar(make("div", "bar " + part.name), part.start - exchange.start, part.end - exchange.start, 0, Math.max(time, 0.001)));
          }
          const list = make("dl", "fields");
          const names = { blocked: "Queued", dns: "Name lookup", connect: "Connect", ssl: "TLS", wait: "Wait", receive: "Receive" };
          for (const [key, name] of Object.entries(names)) {
            let length = exchange.entry.timings[key] ?? -1;
            if (key === "connect" && exchange.entry.timings.ssl > 0) length -= exchange.entry.timings.ssl;
            if (length < 0) continue;
            const title = make("dt");
            title.append(make("i", "swatch " + key), document.createTextNode(name));
            list.append(title, make("dd", "", duration(length)));
          }
          return [strip, list];
        }

        function exchangeNodes(exchange) {
          const { request, response } = exchange.entry;
          const cache = exchange.entry._cache;
          const title = request.method + " " + readable(request.url);
          const failure = !response._error ? "" : response._error === "canceled" ? "canceled" : "failed";
          const result = [response.status || "", failure].filter(x => x !== "").join(", ");
          const nodes = [make("h3", "", title)];
          const reused = exchange.isReused === undefined ? "" : exchange.isReused ? "reused" : "new";
          nodes.push(fields([
            ["Result", exchange.isOpen ? "not ended" : result], ["Error", response.comment], ["Attempt", exchange.entry._attempt],
            ["Started", "after " + duration(exchange.start)], ["Time", duration(exchange.entry.time)], ["Cache", cache],
            ["Note", exchange.entry.comment], ["Protocol", request.httpVersion === "unknown" ? "" : request.httpVersion],
            ["Connection", reused], ["Peer", exchange.entry.serverIPAddress],
          ]));
          if (!exchange.isOpen) nodes.push(...timingNodes(exchange));
          if (request.headers.length > 0) nodes.push(make("h4", "", "Request headers"), headers(request.headers));
          const sent = request.postData;
          if (sent) nodes.push(...bodyNodes("Request body", sent.text, sent._encoding === "base64", sent.comment, request.bodySize));
          if (response.headers.length > 0) nodes.push(make("h4", "", "Response headers"), headers(response.headers));
          const content = response.content;
          nodes.push(...bodyNodes("Response body", content.text, content.encoding === "base64", content.comment, content.size));
          if (exchange.curl) {
            const pre = make("pre", "", exchange.curl);
            const heading = make("h4", "", "cURL");
            heading.append(copyButton(exchange.curl, pre));
            nodes.push(heading, pre);
          }
          return nodes;
        }

        function stepText(step) {
          const names = { attempt: "Attempt " + step.attempt, wait: "Wait before a retry", refresh: "Credential refresh", cache: "Cache",
            decoding: "Decoding", reconnection: "Reconnection" };
          return names[step.kind] + (step.text ? " (" + step.text + ")" : "");
        }

        function openDetails(call) {
          if (call.fold) return unfold(call);
          const close = make("button", "", "Close");
          close.id = "close";
          close.addEventListener("click", closeDetails);
          const started = new Date(head.start + call.start);
          const nodes = [close, make("h2", "", call.method + " " + readable(call.url))];
          nodes.push(fields([
            ["Call", "#" + call.id], ["Operation", call.operation], ["Template", call.template], ["Result", outcome(call)[0]],
            ["Error", call.error], ["Started", isNaN(started) ? "" : started.toISOString()], ["Time", duration(call.duration)],
            ["Attempts", call.attempts], ["Stream events", call.streamEvents > 0 ? call.streamEvents : ""],
          ]));
          const steps = call.steps.filter(step => step.kind !== "attempt" || call.attempts > 1);
          if (steps.length > 0) {
            nodes.push(make("h4", "", "Steps"), fields(steps.map(step => [
              stepText(step), "after " + duration(step.start) + (step.end > step.start ? ", for " + duration(step.end - step.start) : ""),
            ])));
          }
          for (const exchange of call.exchanges) nodes.push(...exchangeNodes(exchange));
          details.hidden = false;
          details.replaceChildren(...nodes);
          details.scrollTop = 0;
          scheduleDraw();
        }

        function closeDetails() {
          details.hidden = true;
          details.replaceChildren();
          scroll.focus();
          scheduleDraw();
        }

        function onKey(event) {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const isTyping = document.activeElement === filter;
          const page = Math.max(1, Math.floor(scroll.clientHeight / rowHeight) - 1);
          const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
          if (event.key === "/" && !isTyping) {
            filter.focus();
            filter.select();
          } else if (event.key === "Escape") {
            if (!details.hidden) closeDetails();
            else if (filter.value !== "") { filter.value = ""; applyFilter(); }
            else scroll.focus();
          } else if (event.key in moves && !details.contains(document.activeElement)) {
            if (isTyping) scroll.focus();
            pick(picked + moves[event.key]);
          } else if ((event.key === "Home" || event.key === "End") && !isTyping) {
            pick(event.key === "Home" ? 0 : shown.length - 1);
          } else if (event.key === "Enter" && document.activeElement?.tagName !== "BUTTON") {
            if (picked < 0) pick(0);
            if (shown[picked]) openDetails(shown[picked]);
            scroll.focus();
          } else if (event.key === "z" && !isTyping) {
            fitsView = !fitsView;
            draw();
          } else {
            return;
          }
          event.preventDefault();
        }

        start();

        """#
}
