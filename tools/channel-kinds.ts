/** The table of kinds in docs/channels.md, of what the program and the form of the web app say of each. */
import { KINDS } from "../src/alerting/channels/kinds/kinds.ts";
import { CAPABILITIES, isCapability } from "../src/editions/edition.ts";
import { KIND_GUIDES, KINDS as IN_ORDER } from "../web/src/entities/notifications/kind-guides.ts";
import { table } from "./markdown-table.ts";

export function kindsTable(): string {
  return table(
    ["`type`", "edition", "`url`", "where to get it", "`headers`"],
    IN_ORDER.map((type) => {
      const { address, steps } = KIND_GUIDES[type];
      const { capability, takesHeaders } = KINDS[type];
      return [`\`${type}\``, editionOf(capability), address, steps.join(" "), takesHeaders ? "yes" : ""];
    }),
  );
}

function editionOf(capability: string | null): string {
  const edition = capability !== null && isCapability(capability) ? CAPABILITIES[capability].edition : "community";
  return edition === "community" ? "all" : edition === "pro" ? "Pro" : "Personal";
}
