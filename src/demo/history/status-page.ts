import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { PastEndpoint } from "./endpoint-store.ts";
import { type Moments, type Outage, overlap } from "./past.ts";
import type { Row, Rows } from "./store.ts";

interface Component {
  id: number;
  group: number | null;
  name: string;
  description: string;
  endpoint: PastEndpoint;
}

const GROUPS = ["Shop", "Office"] as const;
/** What the public sees, by the units behind it. */
const SHOWN: Readonly<Record<string, readonly [group: number, name: string, description: string]>> = {
  "storefront-1": [1, "Website", "The shop as you see it"],
  checkout: [1, "Checkout", "Baskets and orders"],
  payments: [1, "Payments", "Cards, wallets and invoices"],
  search: [1, "Search", ""],
  nextcloud: [2, "Files", "cloud.harbour.example"],
  gitea: [2, "Code", "git.harbour.example"],
};
/** The page shows so many days. */
const DAYS = 90;
/** An outage of this length is published. */
const PUBLISHED_AFTER_MS = 6 * MINUTE_MS;
const INVESTIGATED_MS = 2 * MINUTE_MS;

export function componentsOf(endpoints: readonly PastEndpoint[]): Component[] {
  return Object.entries(SHOWN).flatMap(([unit, [group, name, description]], index) => {
    const endpoint = endpoints.find(({ of }) => of.container.unit === unit);
    return endpoint === undefined ? [] : [{ id: index + 1, group, name, description, endpoint }];
  });
}

/** The public page, with its present state and the incidents of the last ninety days. */
export function statusRows(components: readonly Component[], moments: Moments): Rows[] {
  const { startMs, nowMs } = moments;
  const made = { created_at: startMs, updated_at: startMs };
  return [
    {
      table: "status_settings",
      rows: [
        {
          id: 1,
          feed_id: "0d7b9c52-3f1e-4a8c-9e65-2b4d6f8a1c03",
          title: "Harbour status",
          description: "How the shop and our services are doing.",
          ...{ accent: "#0f6b73", logo: null, logo_type: null, homepage_url: "https://shop.harbour.example", support_url: null },
          ...{ published: 1, show_uptime: 1, updated_at: startMs },
        },
      ],
    },
    { table: "status_groups", rows: GROUPS.map((name, index) => ({ id: index + 1, name, sort_order: index, ...made })) },
    { table: "status_components", rows: components.map((each) => componentRow(each, moments)) },
    { table: "status_days", rows: components.flatMap((each) => dayRows(each, moments)) },
    ...incidentRows(components, moments),
    {
      table: "maintenance_windows",
      rows: [
        {
          id: 1,
          title: "New disks for the database",
          description: "The shop is read-only for up to two hours.",
          components: JSON.stringify([1, 2]),
          ...{ starts_at: nextNight(nowMs), ends_at: nextNight(nowMs) + 2 * HOUR_MS, entities: "[]", published: "scheduled" },
          ...{ created_at: nowMs - DAY_MS, updated_at: nowMs - DAY_MS },
        },
      ],
    },
    {
      table: "status_subscribers",
      rows: ["kim", "lee", "noor"].map((name, index) => ({
        ...{ id: index + 1, email: `${name}@customer.example`, email_key: `${name}@customer.example`, mailbox: `${name}@customer.example` },
        ...{ components: "[]", created_at: startMs + index * 40 * DAY_MS, confirmed_at: startMs + index * 40 * DAY_MS + HOUR_MS },
        ...{ expires_at: null, last_mail_at: null, last_error: null },
      })),
    },
  ];
}

function nextNight(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 2) * DAY_MS + 2 * HOUR_MS;
}

function current({ endpoint }: Component, { nowMs }: Moments): Outage | undefined {
  return endpoint.outages.find(({ untilMs }) => untilMs > nowMs);
}

function componentRow(component: Component, moments: Moments): Row {
  const { id, group, name, description, endpoint } = component;
  const outage = current(component, moments);
  const status = outage === undefined ? "operational" : "major_outage";
  // What crashes is not checked between, and would be unknown: so who wrote the incident set it.
  const isSet = outage !== undefined && endpoint.of.container.fate === "crashing";
  return {
    ...{ id, group_id: group, name, description, monitor_type: "endpoint", monitor_id: endpoint.id, monitor_name: endpoint.name },
    ...{ agent_id: endpoint.of.container.host.agentId, sort_order: id, visible: 1, auto_incident: 1, needs_attention: 0, status },
    status_since: outage?.fromMs ?? endpoint.outages.at(-1)?.untilMs ?? moments.startMs,
    status_override: isSet ? status : null,
    monitor_status: status,
    ...{ created_at: moments.startMs, updated_at: moments.startMs, observed: 1, last_observed_at: moments.nowMs - 1000 },
  };
}

function dayRows({ id, endpoint }: Component, { nowMs }: Moments): Row[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS }, (_, index) => {
    const day = today - (DAYS - 1 - index) * DAY_MS;
    const untilMs = Math.max(day, Math.min(day + DAY_MS, nowMs - 1000));
    const outMs = overlap(endpoint.outages, day, untilMs);
    return {
      ...{ component_id: id, day, operational_ms: untilMs - day - outMs, degraded_ms: 0, maintenance_ms: 0, partial_outage_ms: 0 },
      major_outage_ms: outMs,
    };
  });
}

function incidentRows(components: readonly Component[], { nowMs }: Moments): Rows[] {
  const incidents: Row[] = [];
  const updates: Row[] = [];
  const checkout = components.filter(({ name }) => name === "Checkout").map(({ id }) => id);
  function add({ id, name }: Component, { fromMs, untilMs }: Outage, isOpen: boolean): void {
    const begun = { status: "investigating", message: `We see errors at ${name.toLowerCase()} and are looking into it.` };
    const latest = isOpen
      ? { status: "identified", message: "The release of this evening does not start. We are rolling it back.", at: fromMs + 9 * MINUTE_MS }
      : { status: "resolved", message: `${name} works again.`, at: untilMs + MINUTE_MS };
    const incidentId = incidents.length + 1;
    incidents.push({
      id: incidentId,
      title: isOpen ? "Payments fail at checkout" : `${name} was not available`,
      severity: isOpen ? "major" : "minor",
      status: latest.status,
      components: JSON.stringify(isOpen ? [id, ...checkout] : [id]),
      automatic: Number(!isOpen),
      auto_resolves: Number(!isOpen),
      created_at: fromMs + INVESTIGATED_MS,
      updated_at: latest.at,
      resolved_at: isOpen ? null : latest.at,
    });
    for (const { status, message, at } of [{ ...begun, at: fromMs + INVESTIGATED_MS }, latest])
      updates.push({ incident_id: incidentId, status, message, notified: 1, created_at: at, edited_at: null });
  }
  const all = components.flatMap((component) => component.endpoint.outages.map((outage) => ({ component, outage })));
  for (const { component, outage } of all.toSorted((a, b) => a.outage.fromMs - b.outage.fromMs)) {
    const isOpen = outage.untilMs > nowMs;
    // One incident for payments and the checkout that needs them.
    if (isOpen ? component.name === "Payments" : outage.untilMs - outage.fromMs > PUBLISHED_AFTER_MS) add(component, outage, isOpen);
  }
  return [
    { table: "status_incidents", rows: incidents },
    { table: "status_incident_updates", rows: updates },
  ];
}
