import { createHash } from "node:crypto";

/**
 * The program of open pages, without which they are complete: it puts times into the reader's zone, follows /status/events, puts changed parts in
 * place of old ones, and shows the days of a strip under the pointer. Plain JavaScript as text, since it is sent as it stands.
 */
export const SCRIPT = `"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const parts = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const thisYear = new Intl.DateTimeFormat("en-GB", parts);
  const otherYear = new Intl.DateTimeFormat("en-GB", { ...parts, year: "numeric" });
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

  const ago = (date) => {
    const minutes = Math.floor((Date.now() - date) / 60000);
    if (minutes < 1) return "just now";
    if (minutes < 60) return relative.format(-minutes, "minute");
    if (minutes < 2880) return relative.format(-Math.floor(minutes / 60), "hour");
    return relative.format(-Math.floor(minutes / 1440), "day");
  };
  const localise = () => {
    for (const time of document.querySelectorAll("time[datetime*=T]")) {
      const date = new Date(time.dateTime);
      const format = date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear;
      const text = "age" in time.dataset ? ago(date) : format.format(date) + ("ago" in time.dataset ? " (" + ago(date) + ")" : "");
      if (time.textContent !== text) time.textContent = text;
    }
    const note = byId("zone");
    if (note && zone && zone !== "UTC") note.textContent = "Times are " + zone.replaceAll("_", " ") + ", days are UTC";
  };
  localise();
  setInterval(localise, 60000);

  if (root.dataset.v) {
    const parse = (html) => {
      const template = document.createElement("template");
      template.innerHTML = html;
      return template.content.firstElementChild;
    };
    const swap = (id, next) => {
      const now = byId(id);
      if (!now || !next || now.isEqualNode(next)) return;
      const had = now.contains(document.activeElement);
      now.replaceWith(next);
      next.classList.add("changed");
      if (had) next.querySelector("a")?.focus();
    };
    const isBusy = () => byId("updates")?.open;
    const refreshIcon = () => {
      const icon = document.querySelector("link[rel=icon]");
      if (icon) icon.href = "/status/icon.svg?" + root.dataset.v;
    };
    const fetchPage = async () => {
      const answer = await fetch(location.href, { cache: "no-cache" });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (fresh.documentElement.dataset.f !== root.dataset.f && !isBusy()) return location.reload();
      for (const part of fresh.querySelectorAll("main > [id]")) swap(part.id, document.adoptNode(part));
      root.dataset.v = fresh.documentElement.dataset.v;
      refreshIcon();
      localise();
    };
    let late;
    // Thousands of readers may learn of it in the same moment.
    const fetchSoon = () => { clearTimeout(late); late = setTimeout(() => void fetchPage().catch(() => {}), Math.random() * 3000); };
    let source;
    let retry;
    const open = () => {
      clearTimeout(retry);
      source = new EventSource("/status/events");
      source.addEventListener("hello", (event) => {
        root.dataset.live = "";
        if (JSON.parse(event.data).version !== root.dataset.v) fetchSoon();
      });
      source.addEventListener("page.changed", (event) => {
        const { version, frame, fragments, announce } = JSON.parse(event.data);
        if (frame !== root.dataset.f) return fetchSoon();
        for (const [id, html] of Object.entries(fragments)) swap(id, parse(html));
        root.dataset.v = version;
        refreshIcon();
        localise();
        const live = byId("live");
        if (live && announce) live.textContent = announce;
      });
      source.addEventListener("error", () => {
        delete root.dataset.live;
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, 20000 + Math.random() * 20000);
      });
    };
    open();
    addEventListener("pagehide", () => { clearTimeout(retry); source.close(); });
    addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  }

  const WORDS = { o: "Operational", d: "Degraded", p: "Partial outage", m: "Major outage", w: "Maintenance", "-": "No data" };
  const dayFormat = new Intl.DateTimeFormat([], { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  let tip;
  const hide = () => { if (tip) tip.hidden = true; };
  const show = (event) => {
    const strip = event.target.closest?.(".b");
    if (!strip) return hide();
    const box = strip.getBoundingClientRect();
    const days = strip.dataset.d;
    const index = Math.min(days.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * days.length)));
    const date = new Date();
    date.setUTCDate(date.getUTCDate() - (days.length - 1 - index));
    const [, seconds] = (strip.dataset.o ?? "").split(" ").map((each) => each.split(":")).find(([at]) => Number(at) === index) ?? [];
    const minutes = seconds === undefined ? 0 : Math.max(1, Math.round(seconds / 60));
    const out = minutes === 0 ? "" : minutes < 60 ? ", " + minutes + " min out" : ", " + Math.floor(minutes / 60) + " h " + (minutes % 60) + " min out";
    if (!tip) {
      tip = document.createElement("div");
      tip.id = "tip";
      tip.setAttribute("aria-hidden", "true");
      document.body.append(tip);
    }
    tip.textContent = dayFormat.format(date) + ": " + WORDS[days[index]].toLowerCase() + out;
    tip.hidden = false;
    const left = box.left + ((index + 0.5) / days.length) * box.width - tip.offsetWidth / 2;
    tip.style.left = scrollX + Math.max(8, Math.min(left, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = scrollY + box.top - tip.offsetHeight - 6 + "px";
  };
  addEventListener("pointermove", show, { passive: true });
  addEventListener("pointerdown", show, { passive: true });
  addEventListener("scroll", hide, { passive: true });
})();
`;

/** Part of its address, so that browsers may keep it. */
export const SCRIPT_VERSION = createHash("sha256").update(SCRIPT).digest("hex").slice(0, 12);
