extension TimelineScript {
    /// The script that selects the rows: the filter, and one row for many equal calls.
    static let filter = #"""
        function kindOf(call) {
          const address = call.template ?? call.url.replace(/[0-9]+/g, "#");
          return [call.method, address, outcome(call)[0], call.attempts].join(" ");
        }

        // Rows of many equal calls become their first one and a row that stands for the others.
        function fold(calls) {
          const result = [];
          for (let index = 0; index < calls.length;) {
            const first = calls[index];
            let end = index + 1;
            while (end < calls.length && kindOf(calls[end]) === kindOf(first)) end += 1;
            const others = calls.slice(index + 1, end);
            if (others.length < 20 || unfolded.has(first.id)) {
              result.push(first, ...others);
            } else {
              const last = others.reduce((end, call) => Math.max(end, call.start + endOf(call)), 0);
              result.push(first, { fold: others, first, start: first.start, end: last - first.start });
            }
            index = end;
          }
          return result;
        }

        function unfold(row) {
          unfolded.add(row.first.id);
          shown = fold(calls);
          draw();
        }

        function words(call) {
          if (!call.words) {
            call.words = [call.method, call.url, call.operation, call.template, call.status, outcome(call)[0], call.error,
              call.error !== undefined && !call.isCanceled ? "failed" : "", call.attempts > 1 ? "retried" : "",
              ...call.exchanges.flatMap(exchangeWords), "#" + call.id].join(" ").toLowerCase();
          }
          return call.words;
        }

        // Everything that the details of an exchange show, also of earlier attempts.
        function exchangeWords(exchange) {
          const { request, response, comment, _cache } = exchange.entry;
          const headers = [...request.headers, ...response.headers].map(field => field.name + ": " + field.value);
          return [request.url, response.status || "", response._error, response.comment, comment, _cache, ...headers,
            request.postData?.text, response.content.text];
        }

        function applyFilter() {
          const wanted = filter.value.toLowerCase().split(/\s+/).filter(x => x);
          const call = shown[picked];
          matching = wanted.length === 0 ? calls : calls.filter(call => wanted.every(word => words(call).includes(word)));
          shown = wanted.length === 0 ? fold(calls) : matching;
          picked = call ? shown.indexOf(call) : -1;
          scroll.scrollTop = Math.max(0, picked * rowHeight - scroll.clientHeight / 2);
          summarize();
          draw();
        }

        """#
}
