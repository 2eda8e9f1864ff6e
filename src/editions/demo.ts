import type { EditionView } from "./answers.ts";
import { type Capability, capabilitiesOf, grants, historyRangesOf } from "./edition.ts";
import { requireCapability } from "./gate.ts";
import { editionRoutes } from "./routes.ts";

/** Everything granted: of a demo, which watches nothing real. No licence key is read, and none is needed. */
export function createDemoEditions() {
  const edition = "pro" as const;
  const view = (): EditionView => ({
    edition,
    organisation: null,
    licence: { status: "none", expires_at: null, message: "This is a demo. It shows what every edition can do, without a licence." },
    capabilities: capabilitiesOf(edition),
    history_ranges: historyRangesOf(edition),
  });
  return {
    edition: () => edition,
    require: (capability: string) => requireCapability(edition, capability),
    grants: (capability: Capability) => grants(edition, capability),
    historyRanges: () => historyRangesOf(edition),
    view,
    routes: editionRoutes(view),
    reload: () => undefined,
  };
}
