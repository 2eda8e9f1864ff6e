import { localise } from "./times.ts";

/** What `page.changed` carries. */
interface Change {
  version: string;
  frame: string;
  /** HTML by the id of the element that it replaces. */
  fragments: Record<string, string>;
  /** For those who listen to the page. */
  announce?: string | null;
}

/** Thousands of readers may learn of a change in the same moment. */
const SPREAD_MS = 3_000;
const RETRY_MS = { least: 20_000, spread: 20_000 } as const;

const root = document.documentElement;
let late: number | undefined;
let retry: number | undefined;
/** The page could not be fetched since it changed. */
let isBehind = false;
let source: EventSource | undefined;

/** Follows the events of the page and puts changed parts in place of old ones. */
export function followChanges(): void {
  open();
  addEventListener("pagehide", () => {
    clearTimeout(retry);
    clearTimeout(late);
    source?.close();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) open();
  });
}

function open(): void {
  clearTimeout(retry);
  const stream = new EventSource("/status/events");
  source = stream;
  stream.addEventListener("hello", (event: MessageEvent<string>) => {
    const { version } = JSON.parse(event.data) as Pick<Change, "version">;
    if (version === root.dataset["v"]) isBehind = false;
    else fetchSoon();
    if (!isBehind) root.dataset["live"] = "";
  });
  stream.addEventListener("page.changed", (event: MessageEvent<string>) => apply(JSON.parse(event.data) as Change));
  stream.addEventListener("error", () => {
    delete root.dataset["live"];
    if (stream.readyState === EventSource.CLOSED) retry = window.setTimeout(open, retryMs());
  });
}

function apply({ version, frame, fragments, announce }: Change): void {
  if (frame !== root.dataset["f"]) {
    fetchSoon();
    return;
  }
  for (const [id, html] of Object.entries(fragments)) swap(id, parse(html));
  // What it is behind with is not among these.
  if (isBehind) localise();
  else settle(version);
  const live = document.getElementById("live");
  if (live !== null && announce) live.textContent = announce;
}

function fetchSoon(afterMs = Math.random() * SPREAD_MS): void {
  clearTimeout(late);
  late = window.setTimeout(() => void fetchPage().then(catchUp, fallBehind), afterMs);
}

function retryMs(): number {
  return RETRY_MS.least + Math.random() * RETRY_MS.spread;
}

function catchUp(): void {
  isBehind = false;
  if (source?.readyState === EventSource.OPEN) root.dataset["live"] = "";
}

function fallBehind(): void {
  isBehind = true;
  delete root.dataset["live"];
  fetchSoon(retryMs());
}

async function fetchPage(): Promise<void> {
  const answer = await fetch(location.href, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const { v: version, f: frame } = fresh.documentElement.dataset;
  const hasFrame = frame === root.dataset["f"];
  if (!hasFrame && !isFormOpen()) {
    location.reload();
    return;
  }
  for (const part of fresh.querySelectorAll("main > [id]")) swap(part.id, document.adoptNode(part));
  // The next hello tries the frame again.
  if (hasFrame) settle(version ?? "");
  else localise();
}

/** The page is of this version now. */
function settle(version: string): void {
  root.dataset["v"] = version;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon !== null) icon.href = `/status/icon.svg?${version}`;
  localise();
}

function swap(id: string, next: Element | null): void {
  const now = document.getElementById(id);
  if (now === null || next === null || now.isEqualNode(next)) return;
  const hadFocus = now.contains(document.activeElement);
  now.replaceWith(next);
  next.classList.add("changed");
  if (hadFocus) next.querySelector("a")?.focus();
}

function parse(html: string): Element | null {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/** What somebody types would be lost. */
function isFormOpen(): boolean {
  const updates = document.getElementById("updates");
  return updates instanceof HTMLDetailsElement && updates.open;
}
