import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { acceptsEncoding, namesEtag } from "../../../http/encodings.ts";
import { Answer } from "../../../http/route.ts";
import type { Clock, Timer } from "../../../platform/clock.ts";
import { isServiceError, messageOf } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { Components, Incidents, Works } from "../seams.ts";
import { addressOf, type Settings } from "../settings/index.ts";
import { renderFeed } from "./atom.ts";
import { renderBadge, renderIcon } from "./badge.ts";
import { announcementOf, eventsBetween, statusRecord } from "./changes.ts";
import { renderDocuments } from "./document.ts";
import { changedParts, type Parts, renderParts } from "./parts.ts";
import { componentsOf, type Projection, project, publicIncident } from "./projection.ts";
import type { Viewers } from "./viewers.ts";
import { shownStatus } from "./words.ts";

/** An answer made ready: its bytes as they stand, compressed once somebody asks for it so, and the answer to those who have it. */
export type Copy = (headers: IncomingHttpHeaders) => Answer & { body: Buffer | undefined };

const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Smaller ones would not gain. */
const LEAST_COMPRESSED = 1024;
/** A page is compressed after every change, for the first who asks, so quickly: a millisecond for fifty kilobytes. */
const QUALITY = { brotli: 5, gzip: 6 } as const;

export function createCopy(text: string, headers: OutgoingHttpHeaders): Copy {
  const bytes = Buffer.from(text);
  const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const shared = { ...headers, etag, vary: "Accept-Encoding, Origin" };
  const kept = answerOf(304, undefined, shared);
  const plain = answerOf(200, bytes, shared);
  if (bytes.length < LEAST_COMPRESSED) return (asked) => (namesEtag(asked["if-none-match"], etag) ? kept : plain);
  const compressed = new Map<Encoding, ReturnType<Copy>>();
  return (asked) => {
    if (namesEtag(asked["if-none-match"], etag)) return kept;
    const accepted = asked["accept-encoding"];
    const encoding = accepted === undefined ? undefined : ENCODINGS.find((name) => acceptsEncoding(accepted, name));
    if (encoding === undefined) return plain;
    let answer = compressed.get(encoding);
    if (answer === undefined) {
      answer = answerOf(200, compress[encoding](bytes), { ...shared, "content-encoding": encoding });
      compressed.set(encoding, answer);
    }
    return answer;
  };
}

const compress: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY.brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => gzipSync(bytes, { level: QUALITY.gzip }),
};

function answerOf(status: number, body: Buffer | undefined, headers: OutgoingHttpHeaders): ReturnType<Copy> {
  return Object.assign(new Answer(status, body, headers), { body });
}

export interface PageCacheDependencies {
  components: Components;
  incidents: Incidents;
  works: Works;
  settings: Pick<Settings, "current">;
  canSubscribe: () => boolean;
  isDemo: boolean;
  viewers: Viewers;
  clock: Clock;
  log: Log;
  baseUrl: string;
}

/** The page in all its forms, as it was last rendered. */
export interface RenderedPage {
  projection: Projection;
  parts: Parts;
  version: string;
  frame: string;
  page: Copy;
  embed: Copy;
  json: Copy;
  icon: Copy;
  badge: Copy;
  badges: ReadonlyMap<number, Copy>;
}

/** What the page shows in addition to its projection. */
interface PageFacts {
  now: Date;
  /** Whether anybody can subscribe. */
  offered: boolean;
  /** Of the page, absolute. */
  url: string;
}

/** Changes come in bunches, so rendering waits for the rest of one; and under a storm of them it rests in between. */
const WAIT_MS = 50;
const REST_MS = 250;
const FEED_ENTRIES = 50;

export const HTML = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8", "cache-control": "no-cache", "access-control-allow-origin": "*" };
const SVG = { "content-type": "image/svg+xml", "cache-control": "no-cache" };
const ATOM = { "content-type": "application/atom+xml; charset=utf-8", "cache-control": "public, max-age=60" };

/** Renders what the public reads when something changes, never on a request. */
export class PageCache {
  readonly #dependencies: PageCacheDependencies;
  #current: RenderedPage | undefined;
  #feed: Copy | undefined;
  #renderedKey = "";
  #feedOf = "";
  #feedTurn = 0;
  #changedAt: Date;
  #renderedMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(dependencies: PageCacheDependencies) {
    this.#dependencies = dependencies;
    this.#changedAt = dependencies.clock.now();
  }

  /** The page as it was last rendered; undefined while it is not published. */
  current(): RenderedPage | undefined {
    return this.#current;
  }

  feed(): Copy | undefined {
    return this.#feed;
  }

  /** Something may have changed: renders soon. */
  touch(): void {
    const { settings, clock } = this.#dependencies;
    // What is no longer published must not be read for another moment.
    if (!settings.current().published) return this.render();
    const restMs = REST_MS - (clock.monotonicMs() - this.#renderedMs);
    this.#timer ??= clock.after(Math.max(WAIT_MS, restMs), () => this.render());
  }

  /** Renders now, if anything did change. */
  render(): void {
    const { components, incidents, works, settings, canSubscribe, clock, baseUrl } = this.#dependencies;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#renderedMs = clock.monotonicMs();
    const now = clock.now();
    if (!settings.current().published) return this.#withdraw();
    const projection = project({
      settings: settings.current(),
      board: components.board(),
      incidents: incidents.current(),
      works: works.list(),
      now,
    });
    const offered = canSubscribe();
    const url = addressOf(settings.current(), baseUrl).page;
    const contents = JSON.stringify([projection, offered, url]);
    // The past days move on at midnight.
    const key = `${now.toISOString().slice(0, 10)} ${contents}`;
    if (key !== this.#renderedKey) this.#replace(projection, { key, contents, now, offered, url });
    // It reaches further back than what was compared.
    void this.#renderFeed(projection);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #replace(projection: Projection, { key, contents, ...facts }: PageFacts & { key: string; contents: string }): void {
    if (contents !== this.#renderedKey.slice(11)) this.#changedAt = facts.now;
    this.#renderedKey = key;
    const before = this.#current;
    this.#current = this.#renderAll(projection, facts);
    if (before !== undefined) this.#sendChanges(before, this.#current);
  }

  #renderAll(projection: Projection, { now, offered, url }: PageFacts): RenderedPage {
    const { isDemo } = this.#dependencies;
    const parts = renderParts(projection, now);
    const documents = renderDocuments(projection, parts, { canSubscribe: offered, isDemo, url });
    const badges = componentsOf(projection).map((component): [number, Copy] => [
      component.id,
      createCopy(renderBadge(component.name, shownStatus(component)), SVG),
    ]);
    return {
      projection,
      parts,
      version: documents.version,
      frame: documents.frame,
      page: createCopy(documents.page, HTML),
      embed: createCopy(documents.embed, HTML),
      json: createCopy(JSON.stringify(statusRecord(projection, this.#changedAt)), JSON_HEADERS),
      icon: createCopy(renderIcon(shownStatus(projection)), SVG),
      badge: createCopy(renderBadge(projection.title, shownStatus(projection)), SVG),
      badges: new Map(badges),
    };
  }

  #sendChanges(before: RenderedPage, after: RenderedPage): void {
    const { viewers } = this.#dependencies;
    const events = eventsBetween(before.projection, after.projection);
    if (before.version === after.version) return viewers.send(events);
    const data = {
      version: after.version,
      frame: after.frame,
      fragments: before.frame === after.frame ? changedParts(before.parts, after.parts) : {},
      announce: announcementOf(events, after.projection),
    };
    viewers.send([...events, { event: "page.changed", data }]);
  }

  /** Asks the database, so it comes a moment later; the previous feed stays until then. */
  async #renderFeed(projection: Projection): Promise<void> {
    const { components, incidents, settings, baseUrl, log } = this.#dependencies;
    this.#feedTurn += 1;
    const turn = this.#feedTurn;
    try {
      const board = components.board();
      const latest = (await incidents.latest(FEED_ENTRIES)).flatMap((incident) => publicIncident(incident, board) ?? []);
      const { feedId, updatedAt } = settings.current();
      const address = addressOf(settings.current(), baseUrl);
      const text = renderFeed(projection, { feedId, address, incidents: latest, updatedAt: updatedAt ?? this.#changedAt });
      if (text === this.#feedOf || turn !== this.#feedTurn) return;
      this.#feedOf = text;
      this.#feed = createCopy(text, ATOM);
    } catch (error) {
      // Tried again with the next change, or within a minute.
      if (isServiceError(error)) log.debug({ reason: messageOf(error) }, "the feed could not be rendered");
      else log.error({ err: error }, "the feed could not be rendered");
    }
  }

  #withdraw(): void {
    this.#feedTurn += 1;
    this.#current = undefined;
    this.#feed = undefined;
    this.#renderedKey = "";
    this.#feedOf = "";
    this.#dependencies.viewers.dismiss();
  }
}
