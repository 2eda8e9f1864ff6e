import type { Capabilities } from "../capabilities.ts";

/** One step of the schema; applied once, in one transaction with its note that it was. */
export interface Migration {
  name: string;
  /** The statements, one SQL text for both databases but for the named capabilities. */
  statements(capabilities: Capabilities): string[];
}
