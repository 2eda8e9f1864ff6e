import { ServiceError } from "../../../platform/errors.ts";
import { z } from "zod";
import { namesEtag } from "../../../http/encodings.ts";
import { schemasOf } from "../../../http/later-schemas.ts";
import { hostNameOf } from "../../../http/origin-guard.ts";
import { Answer, route, type Route } from "../../../http/route.ts";
import type { SettingsUpdate } from "./api.ts";
import type { SettingsRecord } from "./answers.ts";
import type { Logo } from "./settings.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

export interface SettingsService {
  record(): SettingsRecord;
  /** `names` are those that the request was sent to. Throws `unusable_values` for a logo that is none, and for a domain that is the app's. */
  update(body: SettingsUpdate, names: readonly (string | undefined)[]): Promise<SettingsRecord>;
  /** Undefined without one, and while the page is not published. */
  publicLogo(): Logo | undefined;
}

const FOREVER = "public, max-age=31536000, immutable";

export function settingsRoutes(service: SettingsService): Route[] {
  const admin = { path: "/api/v1/status/settings", tag: "Status page administration", access: "admin" } as const;
  return [
    route({
      ...admin,
      method: "GET",
      summary: "How the status page looks, and whether it is published",
      responses: { 200: answer("settings") },
      handle: () => service.record(),
    }),
    route({
      ...admin,
      method: "PUT",
      summary: "Change the settings of the status page; what is left out stays as it is",
      body: taken("settingsUpdate"),
      responses: { 200: answer("settings") },
      handle: ({ body, headers }) => service.update(body, [hostNameOf(headers.host ?? ""), URL.parse(headers.origin ?? "")?.hostname]),
    }),
    route({
      method: "GET",
      path: "/status/logo",
      summary: "The logo of the status page",
      tag: "Public status routes",
      access: "public",
      query: z.object({ v: z.string().optional().catch(undefined) }),
      errors: ["not_found"],
      responses: { 200: "image/*", 304: "" },
      handle({ query, headers }) {
        const logo = service.publicLogo();
        if (logo === undefined) throw new ServiceError("not_found", "There is no logo.");
        const etag = `"${logo.version}"`;
        const kept = { etag, "cache-control": query.v === logo.version ? FOREVER : "no-cache" };
        if (namesEtag(headers["if-none-match"], etag)) return new Answer(304, undefined, kept);
        return new Answer(200, logo.bytes, { ...kept, "content-type": logo.mediaType });
      },
    }),
  ];
}
