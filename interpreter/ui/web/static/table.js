"use strict";
// A page is loaded anew when somebody has answered; options are filtered while one types. Without this all works too.
(() => {
  const head = document.querySelector("[data-news]");
  const look = async () => {
    try {
      const answer = await fetch(head.dataset.news, { cache: "no-store" });
      if (answer.ok && (await answer.json()).version !== head.dataset.version) {
        location.replace(location.pathname + location.search);
        return;
      }
    } catch {
      // The server is away: it is asked again.
    }
    setTimeout(look, document.hidden ? 5000 : 1000);
  };
  if (head) setTimeout(look, 1000);

  const filter = document.getElementById("filter");
  if (filter) {
    filter.addEventListener("input", () => {
      const word = filter.value.toLowerCase();
      for (const option of document.querySelectorAll(".options > li")) {
        option.hidden = !option.textContent.toLowerCase().includes(word);
      }
    });
  }

  const lines = document.querySelector(".story .lines");
  if (lines) lines.scrollTop = lines.scrollHeight;
})();
