"use strict";
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const places = film.slots.map((name) => document.querySelector(`[data-slot="${name}"]`));
  const lines = [...document.querySelectorAll(".story [data-n]")];
  const slider = document.getElementById("at");
  const last = film.moments.length - 1;
  let at = -1;
  let now = film.slots.map(() => 0);
  const drawn = film.slots.map(() => -1);
  let running = 0;

  const show = (wanted) => {
    const goal = Math.max(0, Math.min(last, wanted));
    if (goal < at) {
      now = film.slots.map(() => 0);
      at = -1;
    }
    while (at < goal) {
      at += 1;
      for (const [slot, part] of Object.entries(film.moments[at])) now[slot] = part;
    }
    now.forEach((part, slot) => {
      if (drawn[slot] === part) return;
      drawn[slot] = part;
      places[slot].innerHTML = film.fragments[part];
      places[slot].classList.toggle("empty", part === 0);
    });
    let newest = null;
    for (const line of lines) {
      const later = Number(line.dataset.n) > at;
      line.classList.toggle("later", later);
      if (!later) newest = line;
    }
    const box = document.querySelector(".story .lines");
    box.scrollTop = newest ? newest.offsetTop - box.offsetTop - box.clientHeight + newest.offsetHeight : 0;
    slider.value = at;
    document.getElementById("number").textContent = `${at}/${last}`;
    history.replaceState(null, "", `#${at}`);
  };

  const stop = () => {
    clearInterval(running);
    running = 0;
  };
  const on = (name, goal) =>
    document.getElementById(name).addEventListener("click", () => {
      stop();
      show(goal());
    });
  on("first", () => 0);
  on("back", () => at - 1);
  on("next", () => at + 1);
  on("last", () => last);
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  document.getElementById("play").addEventListener("click", () => {
    if (running) {
      stop();
      return;
    }
    if (at === last) show(0);
    running = setInterval(() => (at < last ? show(at + 1) : stop()), 700);
  });
  document.addEventListener("keydown", (key) => {
    if (key.target === slider) return;
    if (key.key === "ArrowRight" || key.key === "ArrowLeft") {
      stop();
      show(at + (key.key === "ArrowRight" ? 1 : -1));
    }
  });
  for (const line of lines) {
    line.addEventListener("click", () => {
      stop();
      show(Number(line.dataset.n));
    });
  }
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
  show(Number(location.hash.slice(1)) || 0);
})();
