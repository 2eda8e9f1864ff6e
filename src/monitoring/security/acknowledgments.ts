import { SECURITY_BOUNDS } from "../../contract/security.ts";
import { DAY_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { refuseFaults, ServiceError } from "../../platform/errors.ts";
import { createSerial, hold } from "../../platform/queues.ts";
import type { Containers, SavedContainer } from "../containers/index.ts";
import { type Acknowledgment, holdsFor, hostOf, type KnownAcknowledgments } from "./acknowledgment.ts";
import type { AcknowledgmentBody, AcknowledgmentBulkBody, AcknowledgmentQuery, FindingName } from "./api.ts";
import type { AcknowledgmentBulk, AcknowledgmentList, AcknowledgmentRecord } from "./answers.ts";
import { acknowledgmentEvent } from "./changes.ts";
import { acknowledgmentRecord } from "./records.ts";
import type { Assessment, Register } from "./register.ts";
import type { SecurityStore } from "./store.ts";
import { whyNotAssessed } from "./service.ts";

export interface Acknowledgments {
  load(): Promise<void>;
  /** Throws `not_found`, `unusable_values` when there is no such finding, `already_acknowledged`, and `conflict` when there are too many. */
  create(body: AcknowledgmentBody): Promise<AcknowledgmentRecord>;
  /** As many of them as there are and nobody acknowledged. Throws `conflict` when there would be too many. */
  createMany(body: AcknowledgmentBulkBody): Promise<AcknowledgmentBulk>;
  /** The latest first. */
  list(query: AcknowledgmentQuery): AcknowledgmentList;
  /** Throws `not_found`. */
  revoke(id: number): Promise<void>;
  /** Forgets those whose containers have long been gone. */
  prune(): Promise<void>;
  /** Lets none change until the answer is called. */
  hold(): Promise<() => void>;
  forgetHost(agentId: string): void;
}

export interface AcknowledgmentsParts {
  store: SecurityStore;
  known: KnownAcknowledgments;
  register: Register;
  containers: Pick<Containers, "present" | "service">;
  bus: Bus<Event>;
  clock: Clock;
  onChange(): Promise<void>;
}

/** How long an acknowledgment is kept for a container that is not there. */
const KEPT_MS = 400 * DAY_MS;
const PRUNE_BATCH = 500;

export function createAcknowledgments({ store, known, register, containers, bus, clock, onChange }: AcknowledgmentsParts): Acknowledgments {
  const serial = createSerial();
  const oneByOne = <Result>(work: () => Promise<Result>): Promise<Result> => serial("acknowledgments", work);

  /** The present containers by name, for as long as one question takes. */
  function holders(): (acknowledgment: Acknowledgment) => SavedContainer | undefined {
    const byName = new Map<string, SavedContainer>();
    for (const id of containers.present.ids()) {
      const container = containers.present.get(id);
      if (container !== undefined) byName.set(nameKey(hostOf(container.agentId), container.name), container);
    }
    return ({ host, containerName, containerId }) => byName.get(nameKey(host, containerName)) ?? containers.present.get(containerId);
  }

  function isFound({ type, key }: Acknowledgment, holder: SavedContainer | undefined): boolean {
    const findings = holder === undefined ? [] : (register.get(holder.id)?.findings ?? []);
    return findings.some((finding) => finding.type === type && finding.key === key);
  }

  function findOpen(container: SavedContainer, { finding_type: type, finding_key: key }: FindingName): Assessment {
    const assessment = register.get(container.id);
    const ofType = assessment?.findings.filter((finding) => finding.type === type) ?? [];
    if (assessment === undefined || ofType.length === 0) {
      const why = whyNotAssessed(container) ?? `Nothing of this kind is found of ${container.name} now`;
      refuseFaults([{ path: "finding_type", message: why.replace(/\.$/, "") }]);
    }
    const finding = ofType.find((each) => each.key === key);
    if (assessment === undefined || finding === undefined) {
      const keys = ofType.slice(0, 10).map((each) => (each.key === "" ? "an empty text" : each.key));
      throw new ServiceError("unusable_values", `The body cannot be used: finding_key: of ${container.name} there is ${keys.join(", ")}.`, [
        { path: "finding_key", message: `Must be that of a finding: ${keys.join(", ")}` },
      ]);
    }
    if (finding.acknowledgment !== undefined) throw takenBy(finding.acknowledgment.by);
    return assessment;
  }

  /** Publishes an event for every container to which it applies. */
  function publish(what: "acknowledged" | "revoked", acknowledgment: Acknowledgment): void {
    for (const assessment of register.all(acknowledgment.host)) {
      if (holdsFor(acknowledgment, assessment.container)) bus.publish(acknowledgmentEvent(what, acknowledgment, assessment, clock.now()));
    }
  }

  function requireRoom(count: number): void {
    if (known.count() + count <= SECURITY_BOUNDS.acknowledgments) return;
    throw new ServiceError(
      "conflict",
      `There are ${known.count()} acknowledgments already, of at most ${SECURITY_BOUNDS.acknowledgments}; revoke some.`,
    );
  }

  /** Saves them together and then publishes each; undefined in the place of one that is taken. */
  async function save(wanted: readonly Wanted[], { acknowledged_by: by, reason }: Person): Promise<(Acknowledgment | undefined)[]> {
    const at = clock.now();
    const saved = await store.acknowledge(
      wanted.map(({ container, finding: { finding_type: type, finding_key: key } }) => ({
        ...{ host: hostOf(container.agentId), containerId: container.id, containerName: container.name },
        ...{ type, key, by, reason, at },
      })),
    );
    const made = saved.filter((each) => each !== undefined);
    for (const each of made) known.put(each);
    for (const each of made) publish("acknowledged", each);
    if (made.length > 0) await onChange();
    return saved;
  }

  return {
    async load() {
      for (const acknowledgment of await store.acknowledgments()) known.put(acknowledgment);
    },

    create: (body) =>
      oneByOne(async () => {
        const container = await containers.service.find(body.container_id);
        findOpen(container, body);
        requireRoom(1);
        const [saved] = await save([{ container, finding: body }], body);
        if (saved === undefined) throw takenBy("somebody else");
        return acknowledgmentRecord(saved, container, true);
      }),

    createMany: ({ findings, ...person }) =>
      oneByOne(async () => {
        const wanted: Wanted[] = [];
        const skipped: AcknowledgmentBulk["skipped"] = [];
        const skip = (finding: FindingName, error: unknown): void => {
          if (!(error instanceof ServiceError)) throw error;
          const code = SKIPPED.find((each) => each === error.code);
          if (code === undefined) throw error;
          skipped.push({ ...finding, code, message: error.message });
        };
        for (const finding of distinct(findings)) {
          try {
            const container = await containers.service.find(finding.container_id);
            findOpen(container, finding);
            wanted.push({ container, finding });
          } catch (error) {
            skip(finding, error);
          }
        }
        requireRoom(wanted.length);
        const saved = wanted.length === 0 ? [] : await save(wanted, person);
        const acknowledgments = wanted.flatMap(({ container, finding }, at) => {
          const each = saved[at];
          if (each !== undefined) return [acknowledgmentRecord(each, container, true)];
          skip(finding, takenBy("somebody else"));
          return [];
        });
        return { acknowledgments, skipped };
      }),

    list({ container_id: containerId, agent_id: host, limit, offset }) {
      const container = containerId === undefined ? undefined : containers.present.get(containerId);
      const fits = (each: Acknowledgment): boolean =>
        (host === undefined || each.host === host) &&
        (containerId === undefined || (container === undefined ? each.containerId === containerId : holdsFor(each, container)));
      const all = [...known.all()].filter(fits).toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id);
      const holderOf = holders();
      const acknowledgments = all.slice(offset, offset + limit).map((each) => {
        const holder = container ?? holderOf(each);
        return acknowledgmentRecord(each, holder, isFound(each, holder));
      });
      return { acknowledgments, total: all.length, has_more: offset + acknowledgments.length < all.length };
    },

    revoke: (id) =>
      oneByOne(async () => {
        const acknowledgment = known.get(id);
        if (acknowledgment === undefined) throw new ServiceError("not_found", `There is no acknowledgment ${id}.`);
        await store.revoke([id]);
        known.remove(id);
        publish("revoked", acknowledgment);
        await onChange();
      }),

    hold: () => hold(serial, "acknowledgments"),

    forgetHost(agentId) {
      for (const { id, host } of [...known.all()]) if (host === agentId) known.remove(id);
    },

    prune: () =>
      oneByOne(async () => {
        const before = clock.now().getTime() - KEPT_MS;
        const holderOf = holders();
        const old = [...known.all()].filter((each) => each.at.getTime() < before && holderOf(each) === undefined).slice(0, PRUNE_BATCH);
        if (old.length === 0) return;
        await store.revoke(old.map(({ id }) => id));
        for (const { id } of old) known.remove(id);
      }),
  };
}

type Person = Pick<AcknowledgmentBody, "acknowledged_by" | "reason">;

interface Wanted {
  container: SavedContainer;
  finding: FindingName;
}

/** What does not keep the others of a request from being acknowledged. */
const SKIPPED = ["not_found", "unusable_values", "already_acknowledged"] as const;

/** Each finding once. */
function distinct(findings: readonly FindingName[]): FindingName[] {
  return [
    ...new Map(findings.map((finding) => [`${finding.container_id} ${finding.finding_type} ${finding.finding_key}`, finding])).values(),
  ];
}

function takenBy(name: string): ServiceError {
  return new ServiceError("already_acknowledged", `The finding is acknowledged already, by ${name}.`);
}

function nameKey(host: string, name: string): string {
  return `${host}/${name}`;
}
