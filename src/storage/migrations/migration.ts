import type { Capabilities } from "../capabilities.ts";

/** One step of the schema, applied once, in one transaction with the row that records it. */
export interface Migration {
  name: string;
  /** The statements: one SQL text for both databases, except for named capabilities. */
  statements(capabilities: Capabilities): string[];
}
