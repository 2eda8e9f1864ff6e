import { z } from "zod";
import { namesEtag } from "../../../http/encodings.ts";
import { Answer, route, type Route, type RouteDefinition } from "../../../http/route.ts";
import { pathId, queryFlag } from "../../../http/schemas.ts";
import { openEventStream } from "../../../http/sse.ts";
import type { Clock } from "../../../platform/clock.ts";
import { ServiceError } from "../../../platform/errors.ts";
import { once } from "../../../platform/queues.ts";
import { publicStatus } from "./api.ts";
import type { Archive } from "./archive.ts";
import { readFont, SCRIPT_VERSION } from "./assets.ts";
import { FONT_VERSION } from "./font.gen.ts";
import { renderMissing } from "./history.ts";
import { type RenderedPage, type PageCache, type Copy, createCopy } from "./page-cache.ts";
import { SCRIPT } from "./script.gen.ts";
import type { Viewers } from "./viewers.ts";

const get = { method: "GET", tag: "Public status routes", access: "public" } as const;

/** Readers come with whatever others put into links; nobody is refused for it. */
const ignored = z.object({});
const pageQuery = z.object({
  embed: z
    .string()
    .optional()
    .catch(undefined)
    .meta({ description: "`1`: in short, for a frame of another site; all else but `true` is ignored" }),
});
const versionQuery = z.object({ v: z.string().optional().catch(undefined) });
const monthQuery = z.object({
  month: z.string().optional().catch(undefined).meta({ description: "`2026-11`; absent: this month" }),
});

const FOREVER = "public, max-age=31536000, immutable";

export interface PageParts {
  pageCache: PageCache;
  archive: Archive;
  viewers: Viewers;
  clock: Clock;
}

/** What the public reads. Nothing here is made for the one who asks, but for pages of the past, which are made once. */
export function pageRoutes({ pageCache, archive, viewers, clock }: PageParts): Route[] {
  function published(): RenderedPage {
    const rendered = pageCache.current();
    if (rendered === undefined) throw new ServiceError("not_found", "There is no published status page here.");
    return rendered;
  }

  /** A route that answers from the page cache. */
  function cachedRoute(
    about: Pick<Route, "path" | "summary" | "anyOrigin">,
    media: RouteDefinition<never, never, never>["responses"][number],
    find: (rendered: RenderedPage) => Copy | undefined,
  ): Route {
    return route({
      ...get,
      ...about,
      query: ignored,
      errors: ["not_found"],
      responses: { 200: media, 304: "" },
      ready(headers) {
        const rendered = pageCache.current();
        return rendered && find(rendered)?.(headers);
      },
      handle: ({ headers }) => copyOr404(find(published()))(headers),
    });
  }

  const scriptFor = (caching: string): Copy =>
    createCopy(SCRIPT, { "content-type": "text/javascript; charset=utf-8", "cache-control": caching });
  const [script, keptScript] = [scriptFor("no-cache"), scriptFor(FOREVER)];

  return [
    route({
      ...get,
      path: "/status",
      summary: "Leads to the status page",
      query: ignored,
      errors: ["not_found"],
      responses: { 301: "" },
      handle() {
        published();
        return new Answer(301, undefined, { location: "/status/", "cache-control": "no-cache" });
      },
    }),
    route({
      ...get,
      path: "/status/",
      summary: "The status page",
      query: pageQuery,
      errors: ["not_found"],
      responses: { 200: "text/html", 304: "" },
      ready: (headers) => pageCache.current()?.page(headers),
      handle({ query, headers }) {
        const { page, embed } = published();
        return (isEmbedded(query.embed) ? embed : page)(headers);
      },
    }),
    route({
      ...get,
      path: "/status/history",
      summary: "The incidents of a month",
      query: monthQuery,
      responses: { 200: "text/html", 304: "", 404: "text/html" },
      async handle({ query, headers }) {
        const rendered = published();
        const isMonth = query.month === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(query.month);
        const copy = isMonth ? await archive.month(rendered, query.month) : undefined;
        return copy?.(headers) ?? missing(rendered, "There is nothing of this month.");
      },
    }),
    route({
      ...get,
      path: "/status/incidents/{id}",
      summary: "One incident with all its updates",
      params: z.strictObject({ id: pathId }),
      query: ignored,
      responses: { 200: "text/html", 304: "", 404: "text/html" },
      async handle({ params, headers }) {
        const rendered = published();
        const copy = await archive.incident(rendered, params.id);
        return copy?.(headers) ?? missing(rendered, "There is no such incident.");
      },
    }),
    cachedRoute(
      { path: "/status/api", summary: "The status of everything as JSON; any site may read it", anyOrigin: true },
      publicStatus,
      ({ json }) => json,
    ),
    cachedRoute({ path: "/status/feed.atom", summary: "Incidents as an Atom feed" }, "application/atom+xml", () => pageCache.feed()),
    cachedRoute({ path: "/status/badge.svg", summary: "A badge of the whole page" }, "image/svg+xml", ({ badge }) => badge),
    cachedRoute({ path: "/status/icon.svg", summary: "The page's icon, which shows its status" }, "image/svg+xml", ({ icon }) => icon),
    route({
      ...get,
      path: "/status/badge/{id}.svg",
      summary: "A badge of one component",
      params: z.strictObject({ id: pathId }),
      query: ignored,
      responses: { 200: "image/svg+xml", 304: "" },
      handle: ({ params, headers }) => copyOr404(published().badges.get(params.id))(headers),
    }),
    route({
      ...get,
      path: "/status/app.js",
      summary: "What keeps an open status page up to date",
      query: versionQuery,
      errors: ["not_found"],
      responses: { 200: "text/javascript", 304: "" },
      handle({ query, headers }) {
        published();
        return (query.v === SCRIPT_VERSION ? keptScript : script)(headers);
      },
    }),
    fontRoute(),
    route({
      ...get,
      path: "/status/events",
      summary: "Changes of the status page as they happen, as server-sent events",
      stream: true,
      query: ignored,
      errors: ["not_found"],
      responses: { 200: "text/event-stream" },
      handle() {
        const { version } = published();
        const data = { version, server_time: clock.now().toISOString() };
        return openEventStream((stream) => viewers.follow(stream, { event: "hello", data }), {
          farewell: { event: "resync", data: { reason: "too_slow" } },
        });
      },
    }),
  ];
}

/** Answered while the page is not published too, for the pages behind the links of mails; to any origin: a frame in a sandbox has a separate one. */
function fontRoute(): Route {
  const font = once(readFont);
  const etag = `"${FONT_VERSION}"`;
  return route({
    ...get,
    path: "/status/font.woff2",
    summary: "The font of the status page",
    anyOrigin: true,
    query: versionQuery,
    responses: { 200: "font/woff2", 304: "" },
    async handle({ query, headers }) {
      const kept = { etag, "cache-control": query.v === FONT_VERSION ? FOREVER : "no-cache" };
      if (namesEtag(headers["if-none-match"], etag)) return new Answer(304, undefined, kept);
      return new Answer(200, await font(), { ...kept, "content-type": "font/woff2" });
    },
  });
}

function isEmbedded(embed: string | undefined): boolean {
  return queryFlag.safeParse(embed).data === true;
}

function copyOr404(copy: Copy | undefined): Copy {
  if (copy === undefined) throw new ServiceError("not_found", "There is nothing at this address.");
  return copy;
}

/** For people, who follow old links. */
function missing({ projection }: RenderedPage, sentence: string): Answer {
  return new Answer(404, renderMissing(projection, sentence), { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
}
