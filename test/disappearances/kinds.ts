/** What is monitored, and what of it can be read: only some kinds are on the public page or have an uptime. */
export const KINDS = {
  container: { title: "Container", source: "container", onPage: true },
  endpoint: { title: "Endpoint of a label", source: "endpoint", onPage: true },
  standalone: { title: "Standalone endpoint", source: "endpoint", onPage: true },
  heartbeat: { title: "Heartbeat", source: "heartbeat", onPage: true },
  certificate: { title: "Certificate of a label", source: "certificate", onPage: true },
  resource: { title: "Resource threshold", source: "resource", onPage: false },
  host: { title: "Host", source: "agent", onPage: false },
  agent: { title: "Agent", source: "agent", onPage: false },
  update: { title: "Update", source: "update", onPage: false },
  insight: { title: "Security insight", source: "security", onPage: false },
} as const;

export type Kind = keyof typeof KINDS;

/** The columns of a cell, with what they mean. */
export const FIELDS = {
  state: "on lists and in the API",
  alert: "a new alert; *held* is recorded and not sent",
  sent: "messages about it",
  uptime: "how the time since counts",
  page: "on the public page",
  timeline: "in the list of what changed",
  before: "what becomes of an alert that was active before; *also* is another one",
  pageBefore: "what the public page says of that one",
} as const;

export type Field = keyof typeof FIELDS;
export type Cell = Record<Field, string>;

/** A cell as it should be, by both roads unless an agent makes a difference; or why it cannot occur. */
export type Expected = (Cell & { byAgent?: Partial<Cell>; why?: string }) | string;
