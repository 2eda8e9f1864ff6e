import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import type { Impact } from "../../format/impact.ts";
import type { Status } from "../../format/status.ts";

/** Something that needs attention, in two sentences. */
export interface Attention {
  /** The kind of thing it is: `container`, `endpoint`. */
  type: string;
  id: string;
  /** What it is called; empty where `what` is a whole sentence. */
  name: string;
  status: Status;
  impact: Impact;
  /** What follows its name: `is restarting`. */
  what: string;
  /** Why, as far as is known; empty when nothing is. */
  why: string;
  /** What else helps to know which one it is; empty when the rest says all. */
  where: string;
  /** Whose host it is on; null is the local one. */
  agentId: string | null;
  since: string;
  /** The alert about it. */
  alert?: ShownAlert;
  /** Somebody has it in hand, or it is held back on purpose. */
  isSettled: boolean;
  /** What stands below it. */
  folded?: readonly Folded[];
}

/** What else is wrong with the same thing, the same problem on other hosts, what a problem holds back, or what else it breaks. */
export interface Folded {
  kind: "alerts" | "hosts" | "dependents" | "consequences";
  list: readonly Attention[];
}
