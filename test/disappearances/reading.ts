import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { DeliveryRecord } from "../../src/alerting/deliveries/answers.ts";
import type { PublicStatus } from "../../src/publishing/status/page/api.ts";
import { changesSchemas } from "../../src/publishing/assistant/answers.ts";
import type { Name } from "./host.ts";
import { type Cell, KINDS, type Kind } from "./kinds.ts";
import { stateOf } from "./states.ts";
import type { Since } from "./since.ts";
import { heartbeatTally, uptimeOf } from "./uptimes.ts";
import type { World } from "./world.ts";

const NONE = "-";

export async function sinceNow(world: World): Promise<Since> {
  const { alerts, changes } = await askAll(world);
  return {
    at: world.clock.now(),
    monotonicMs: world.clock.monotonicMs(),
    heartbeat: heartbeatTally(world),
    alertIds: new Set(alerts.map(({ id }) => id)),
    endedIds: new Set(alerts.filter(({ status }) => status === "resolved").map(({ id }) => id)),
    changes: new Set(changes.map(({ key }) => key)),
  };
}

/** What is shown of everything, by kind. */
export async function readAll(world: World, since: Since): Promise<Record<Kind, Cell>> {
  const answers = await askAll(world);
  const cells = Object.keys(KINDS).map(async (kind) => [kind, await readCell(world, answers, kind as Kind, since)] as const);
  return Object.fromEntries(await Promise.all(cells)) as Record<Kind, Cell>;
}

interface Answers {
  alerts: AlertRecord[];
  deliveries: DeliveryRecord[];
  page: Record<string, string>;
  changes: { kind: string; what: string; name: string; type: string; key: string }[];
}

export async function askAll(world: World): Promise<Answers> {
  const server = world.running();
  const get = async <Answer>(path: string): Promise<Answer> => {
    const { status, body } = await server.ask("GET", path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as Answer;
  };
  const { alerts } = await get<{ alerts: AlertRecord[] }>("/api/v1/alerts?limit=1000");
  const { deliveries } = await get<{ deliveries: DeliveryRecord[] }>("/api/v1/deliveries?limit=1000");
  const { groups } = await get<PublicStatus>("/status/api");
  const components = groups.flatMap((group) => group.components) as (PublicStatus["groups"][number]["components"][number] & {
    observed?: boolean;
  })[];
  const { changes } = await server.whatChanged(changesSchemas().input.parse({ since: "24h", limit: 200 }));
  return {
    alerts: alerts.toReversed(),
    deliveries,
    page: Object.fromEntries(components.map(({ name, status, observed }) => [name, observed === false ? "No data" : status])),
    changes: changes.toReversed().map(({ kind, at, what, entity, evidence }) => ({
      kind,
      what,
      name: entity.name,
      type: entity.type,
      key: `${kind} ${evidence.id} ${at}`,
    })),
  };
}

async function readCell(world: World, answers: Answers, kind: Kind, since: Since): Promise<Cell> {
  const { onPage } = KINDS[kind];
  const page = (name: Name): string => (onPage ? (answers.page[`${kind} ${name}`] ?? "gone") : NONE);
  const began = ({ id }: AlertRecord): boolean => !since.alertIds.has(id);
  const fresh = alertsOf(answers.alerts, kind, "web").filter(began);
  const old = alertsOf(answers.alerts, kind, "sick").filter((alert) => !began(alert));
  const again = alertsOf(answers.alerts, kind, "sick").filter(began);
  const before = [...old.map(alertText), ...again.map((alert) => `also ${alertText(alert)}`)];
  const messages = answers.deliveries.filter(({ alert_id }) => fresh.some(({ id }) => id === alert_id));
  return {
    state: await stateOf(world, kind),
    alert: joined(fresh.map(alertText)),
    sent: joined(messages.toReversed().map(({ event }) => event.replace("alert.", ""))),
    uptime: await uptimeOf(world, kind, since),
    page: page("web"),
    timeline: joined(answers.changes.filter((change) => !since.changes.has(change.key) && isAbout(change, kind)).map(({ what }) => what)),
    before: joined(before),
    pageBefore: page("sick"),
  };
}

/** `down`, `down, held`, `down, resolved by removal`. */
function alertText({ event, suppressed_by: held, status, resolution }: AlertRecord): string {
  return [event, ...(held === null ? [] : ["held"]), ...(status === "resolved" ? [`resolved by ${resolution?.by ?? "nobody"}`] : [])].join(
    ", ",
  );
}

export function alertsOf(alerts: readonly AlertRecord[], kind: Kind, name: Name): AlertRecord[] {
  const names: Partial<Record<Kind, string>> = { standalone: `alone ${name}`, heartbeat: `job ${name}`, certificate: `${name}.test` };
  return alerts.filter(({ source, event, entity_name }) => {
    if (source !== KINDS[kind].source) return false;
    if (kind === "host") return name === "web" && event === "runtime_lost";
    if (kind === "agent") return name === "web" && event === "disconnected";
    return entity_name === (names[kind] ?? name);
  });
}

const ENTITY: Partial<Record<Kind, { type: string; name: string }>> = {
  container: { type: "container", name: "web" },
  endpoint: { type: "endpoint", name: "web" },
  standalone: { type: "endpoint", name: "alone web" },
  heartbeat: { type: "heartbeat", name: "job web" },
  certificate: { type: "certificate", name: "web.test" },
  agent: { type: "agent", name: "host a" },
};

function isAbout(change: Answers["changes"][number], kind: Kind): boolean {
  const entity = ENTITY[kind];
  return change.type === entity?.type && change.name.startsWith(entity.name) && !change.kind.startsWith("alert_");
}

function joined(words: readonly string[]): string {
  return words.length === 0 ? NONE : words.join("; ");
}
