import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { SCOPES } from "../../../../src/contract/scope.ts";
import { oneOf, textParam } from "../../app/search-params.ts";
import { SEVERITIES, SOURCES, type AlertSource, type Severity } from "../../format/alert-words.ts";

/** Which form is open over a list: that of a new thing, or of the one with this id. */
export interface FormSearch {
  create?: string | undefined;
  edit?: string | undefined;
}

export function formSearch(search: Record<string, unknown>): FormSearch {
  return { create: textParam(search["create"]), edit: textParam(search["edit"]) };
}

/** A silence that another page proposes: `/notifications/silences?create=yes&entity=container:42`. */
export interface SilenceSearch extends FormSearch {
  source?: AlertSource | undefined;
  severity?: Severity | undefined;
  entity?: string | undefined;
  event?: string | undefined;
  /** The form of a maintenance window: `yes`, or its id. */
  maintenance?: string | undefined;
}

export function silenceSearch(search: Record<string, unknown>): SilenceSearch {
  return {
    ...formSearch(search),
    source: oneOf(search["source"], SOURCES),
    severity: oneOf(search["severity"], SEVERITIES),
    entity: textParam(search["entity"]),
    event: textParam(search["event"]),
    maintenance: textParam(search["maintenance"]),
  };
}

/** What an alert is about; of one about a host not all that is on it. */
export function silenceProposal({
  source,
  entity_type: type,
  entity_id: id,
}: Pick<ShownAlert, "source" | "entity_type" | "entity_id">): SilenceSearch {
  return { create: "yes", entity: `${type}:${id}`, ...(type === SCOPES.host && { source }) };
}

/** All that is in a group of containers. */
export function groupProposal(name: string): SilenceSearch {
  return { create: "yes", entity: `${SCOPES.group}:${name}` };
}
