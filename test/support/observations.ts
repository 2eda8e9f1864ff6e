import { CHECK_SETTINGS, type CheckSetting, HTTP_SETTINGS, type SettingTable, type ValueOf } from "../../src/contract/check-settings.ts";
import {
  ROLLOUT_STATES,
  SERVICE_MODES,
  SWARM_STANDINGS,
  type SwarmNode,
  type SwarmService,
  type SwarmSighting,
  type SwarmTask,
  type SwarmTopology,
  TASK_STATES,
} from "../../src/observations/swarm.ts";
import {
  type CertificateScan,
  type CertificateTarget,
  type CheckResult,
  type ContainerReadings,
  type ContainerSettings,
  type ContainerSighting,
  type HostReading,
  type LabelledEndpoint,
  type Observation,
  type Port,
  READING_COLUMNS,
  type ReadingColumn,
  type RuntimeConnection,
  TICK_MS,
  type UpdateSettings,
} from "../../src/observations.ts";
import { cleanName, cleanText } from "../../src/platform/text.ts";
import { kubernetes } from "./kubernetes-observations.ts";
import { fc } from "./seed.ts";

/** Anything a collector may say, of any alphabet and at any time that has a year of four digits. */

const record = <Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }): fc.Arbitrary<Model> =>
  fc.record<Model>(model, { noNullPrototype: true });
const nullOr = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null });
const text = (maxLength = 40): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom("binary", "grapheme", "grapheme-ascii"), maxLength }).map((any) => any.replaceAll("\0", ""));
const name = (maxLength = 40): fc.Arbitrary<string> => text(maxLength).map((any) => cleanName(any, 255));
const lines = (): fc.Arbitrary<string> => fc.array(text(), { maxLength: 4 }).map((any) => cleanText(any.join("\n"), 1000));
const nameOrNull = (maxLength?: number): fc.Arbitrary<string | null> => nullOr(name(maxLength)).map((any) => any || null);
const id = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 }),
  name().map((any) => any.replaceAll("/", "") || "x"),
);
const LAST_MS = Date.UTC(10_000, 0) - 1;
const date = fc.oneof(
  fc.integer({ min: 0, max: LAST_MS }).map((ms) => new Date(ms)),
  fc.constantFrom(new Date(0), new Date(1), new Date(LAST_MS)),
);
const pairs = (key: fc.Arbitrary<string>): fc.Arbitrary<Record<string, string>> =>
  fc.array(fc.tuple(key, text()), { maxLength: 6 }).map((entries) => Object.fromEntries(entries));
const measure = fc.oneof(fc.double({ min: 0, max: 2 ** 53 - 1, noNaN: true }), fc.maxSafeNat(), fc.constant(0));
const list = <Value>(item: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => fc.array(item, { maxLength: 4 });

const updates: fc.Arbitrary<UpdateSettings> = record({
  enabled: fc.boolean(),
  track: nullOr(fc.constantFrom("major", "minor", "patch", "digest")),
  pin: nameOrNull(),
  ignoreMajor: fc.boolean(),
  registry: nullOr(fc.constantFrom("mirror.test", "mirror.test:5000")),
  alertOn: fc.constantFrom("all", "critical", "none"),
  digestOnly: fc.boolean(),
  tagInclude: nullOr(text()),
  tagExclude: nullOr(text()),
});

const settings: fc.Arbitrary<ContainerSettings> = record({
  ignored: fc.boolean(),
  group: nameOrNull(),
  alertSeverity: fc.constantFrom("critical", "warning", "info"),
  alertChannels: list(name()),
  alertTags: list(name()),
  restartThreshold: fc.integer({ min: 1, max: 1000 }),
  downAfterMs: fc.option(fc.integer({ min: 0, max: 86_400_000 })),
  updates,
});

/** Any value of each setting of a table. */
function settingValues<Table extends SettingTable>(table: Table): { [Key in keyof Table]: fc.Arbitrary<ValueOf<Table[Key]>> } {
  const valueOf = (setting: CheckSetting): fc.Arbitrary<number | boolean | string | null> => {
    if (setting.kind === "number") return fc.integer({ min: setting.min, max: setting.max });
    return setting.kind === "flag" ? fc.boolean() : nullOr(text());
  };
  // The keys are the table's, and each has values of its kind.
  return Object.fromEntries(Object.entries(table).map(([key, setting]) => [key, valueOf(setting)])) as ReturnType<
    typeof settingValues<Table>
  >;
}

const thresholds = {
  intervalMs: fc.integer({ min: 5000, max: 86_400_000 }),
  timeoutMs: fc.integer({ min: 1000, max: 60_000 }),
  ...settingValues(CHECK_SETTINGS),
};

const endpoint: fc.Arbitrary<LabelledEndpoint> = record({
  labelKey: fc.constantFrom("service.endpoint.http", "service.endpoint.7.tcp"),
  check: fc.oneof(
    record({ type: fc.constant("tcp"), target: fc.constantFrom("db:5432", "[::1]:80"), ...thresholds, http: fc.constant(null) }),
    record({
      type: fc.constant("http"),
      target: fc.webUrl({ validSchemes: ["http", "https"] }).map((url) => URL.parse(url)?.href ?? "http://web/"),
      ...thresholds,
      http: record({
        method: fc.constantFrom("GET", "HEAD", "POST", "DELETE"),
        expectedStatus: list(fc.constantFrom("200", "2xx", "404")),
        headers: pairs(fc.constantFrom("Authorization", "X-Test", "Accept")),
        ...settingValues(HTTP_SETTINGS),
      }),
    }),
  ),
});

const port: fc.Arbitrary<Port> = record({
  containerPort: fc.integer({ min: 1, max: 65_535 }),
  protocol: fc.constantFrom("tcp", "udp", "sctp"),
  hostIp: nullOr(fc.oneof(fc.ipV4(), fc.ipV6())),
  hostPort: nullOr(fc.integer({ min: 1, max: 65_535 })),
});

const certificateTarget: fc.Arbitrary<CertificateTarget> = record({
  domain: fc.constantFrom("a.test", "::1"),
  port: fc.integer({ min: 1, max: 65_535 }),
  serverName: fc.domain(),
});

export const anySighting: fc.Arbitrary<ContainerSighting> = record({
  externalId: id,
  name: name(),
  image: name(),
  imageDigest: nameOrNull(),
  imageId: nameOrNull(),
  imagePlatform: nameOrNull(),
  state: fc.constantFrom("created", "running", "paused", "restarting", "exited", "dead"),
  health: nullOr(fc.constantFrom("healthy", "unhealthy", "starting")),
  healthFailure: nullOr(record({ exitCode: fc.constantFrom(1, -1, 127), output: lines(), endedAt: date })),
  exitCode: nullOr(fc.constantFrom(0, 1, -1, 137, 3_221_225_786)),
  oomKilled: fc.boolean(),
  errorDetail: nameOrNull(300),
  stopRequested: fc.boolean(),
  restartCount: fc.nat(),
  project: nullOr(record({ name: name().map((any) => any || "x"), source: fc.constantFrom("compose", "stack", "namespace") })),
  unit: nameOrNull(),
  labels: pairs(fc.oneof(text(), fc.constantFrom("__proto__", "constructor", "7", ""))),
  settings,
  labelErrors: list(record({ label: name(), message: name() })),
  endpoints: list(endpoint),
  certificates: list(certificateTarget),
  ports: list(port),
  networkMode: nameOrNull(),
  privileged: fc.boolean(),
  runtime: fc.constantFrom("docker", "swarm", "kubernetes"),
  createdAt: nullOr(date),
  startedAt: nullOr(date),
  finishedAt: nullOr(date),
});

const checkResult: fc.Arbitrary<CheckResult> = record({
  success: fc.boolean(),
  observed: fc.boolean(),
  responseTimeMs: nullOr(fc.double({ min: 0, max: 60_000, noNaN: true })),
  httpStatus: nullOr(fc.integer({ min: 100, max: 599 })),
  failureClass: nullOr(fc.constantFrom("dns", "connect", "timeout", "tls", "http", "assertion")),
  error: nameOrNull(300),
  certificate: nullOr(record({ trusted: fc.boolean(), expiresAt: nullOr(date) })),
});

/** Certificates may hold times long before 1970. */
const longDate = fc.oneof(
  date,
  fc.integer({ min: Date.UTC(1950, 0), max: 0 }).map((ms) => new Date(ms)),
);
const fingerprint = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(":"));

const certificateScan: fc.Arbitrary<CertificateScan> = record({
  error: nameOrNull(300),
  leaf: nullOr(
    record({
      subject: name(),
      issuer: name(),
      issuerOrg: nameOrNull(),
      sans: list(name()),
      serialNumber: name(),
      fingerprintSha256: fingerprint,
      keyType: name(),
      signatureAlgorithm: name(),
      notBefore: longDate,
      expiresAt: longDate,
    }),
  ),
  chain: list(record({ subject: name(), issuer: name(), notBefore: longDate, expiresAt: longDate, error: nameOrNull(300) })),
  chainValid: fc.boolean(),
  chainError: nameOrNull(300),
  hostnameMatch: nullOr(fc.boolean()),
  ocsp: nullOr(fc.constantFrom("good", "revoked", "unknown")),
});

const runtimeConnection: fc.Arbitrary<RuntimeConnection> = record({
  runtime: fc.constantFrom("docker", "swarm", "kubernetes"),
  connected: fc.boolean(),
  version: nameOrNull(),
  apiVersion: nameOrNull(),
  error: nameOrNull(300),
  since: date,
});

const hostReading: fc.Arbitrary<HostReading> = record({
  hostname: name(),
  os: nameOrNull(),
  cpuCount: fc.integer({ min: 0, max: 4096 }),
  cpuPercent: nullOr(measure),
  memoryBytes: nullOr(measure),
  memoryTotalBytes: nullOr(measure),
  diskBytes: nullOr(measure),
  diskTotalBytes: nullOr(measure),
  load: nullOr(fc.tuple(measure, measure, measure)),
  uptimeSeconds: nullOr(measure),
});

const readings: fc.Arbitrary<ContainerReadings> = fc.uniqueArray(id, { maxLength: 8 }).chain((externalIds) => {
  const column = fc
    .array(fc.oneof(measure, fc.constant(Number.NaN)), { minLength: externalIds.length, maxLength: externalIds.length })
    .map((values) => Float64Array.from(values));
  // One arbitrary for each name is all that the type asks for.
  const columns = Object.fromEntries(READING_COLUMNS.map((each) => [each, column])) as Record<ReadingColumn, typeof column>;
  return record({ externalIds: fc.constant(externalIds), columns: record(columns) });
});

const someText = fc.string({ maxLength: 20 }).map((any) => any.replace(/[^a-z]/g, "") || "x");
const portNumber = fc.integer({ min: 1, max: 65_535 });

const swarmService: fc.Arbitrary<SwarmService> = record({
  id,
  name: someText,
  mode: fc.constantFrom(...SERVICE_MODES),
  image: someText,
  imageDigest: nullOr(someText),
  replicas: nullOr(fc.integer({ min: 0, max: 5000 })),
  jobIteration: nullOr(fc.maxSafeNat()),
  stack: nullOr(someText),
  labels: fc.dictionary(
    someText,
    fc.string({ maxLength: 20 }).map((any) => any.replaceAll("\0", "")),
    { noNullPrototype: true },
  ),
  settings,
  labelErrors: anySighting.map(({ labelErrors }) => labelErrors),
  endpoints: list(endpoint),
  certificates: anySighting.map(({ certificates }) => certificates),
  ports: fc.array(
    record({
      protocol: fc.constantFrom("tcp", "udp", "sctp"),
      targetPort: portNumber,
      publishedPort: nullOr(portNumber),
      mode: fc.constantFrom("ingress", "host"),
    }),
    { maxLength: 3 },
  ),
  constraints: fc.array(someText, { maxLength: 3 }),
  configs: fc.array(someText, { maxLength: 3 }),
  rollout: nullOr(
    record({ state: fc.constantFrom(...ROLLOUT_STATES), startedAt: nullOr(date), completedAt: nullOr(date), message: someText }),
  ),
  hasPrevious: nullOr(fc.boolean()),
  createdAt: nullOr(date),
  updatedAt: nullOr(date),
});

const swarmTask: fc.Arbitrary<SwarmTask> = record({
  ...{ id, serviceId: id, slot: nullOr(fc.integer({ min: 1, max: 5000 })), nodeId: nullOr(id), image: someText },
  jobIteration: nullOr(fc.maxSafeNat()),
  imageDigest: nullOr(someText),
  state: fc.constantFrom(...TASK_STATES),
  desiredState: fc.constantFrom(...TASK_STATES),
  error: nullOr(someText),
  exitCode: nullOr(fc.integer({ min: -1, max: 255 })),
  containerId: nullOr(id),
  createdAt: date,
  since: date,
});

const swarmNode: fc.Arbitrary<SwarmNode> = record({
  id,
  hostname: someText,
  role: fc.constantFrom("manager", "worker"),
  availability: fc.constantFrom("active", "pause", "drain"),
  state: fc.constantFrom("ready", "down", "disconnected", "unknown"),
  message: nullOr(someText),
  manager: nullOr(record({ leader: fc.boolean(), reachability: fc.constantFrom("reachable", "unreachable", "unknown") })),
  address: nullOr(someText),
  engineVersion: nullOr(someText),
});

const swarmTopology: fc.Arbitrary<SwarmTopology> = record({
  services: fc.array(swarmService, { maxLength: 3 }),
  tasks: fc.array(swarmTask, { maxLength: 3 }),
  nodes: fc.array(swarmNode, { maxLength: 3 }),
});

const swarm: fc.Arbitrary<SwarmSighting> = fc
  .tuple(
    record({ clusterId: nullOr(id), nodeId: nullOr(id), leader: fc.boolean() }),
    fc.constantFrom(...SWARM_STANDINGS),
    swarmTopology,
    someText,
  )
  .map(([head, standing, topology, reason]) => ({
    ...head,
    standing,
    ...(standing === "manager" ? { reason: null, topology } : { reason, topology: null }),
  }));

const inventory = fc.uniqueArray(anySighting, { selector: ({ externalId }) => externalId, maxLength: 4 });

/** Anything a collector may say, by its kind. */
export const ANY_OBSERVATION: { readonly [Kind in Observation["kind"]]: fc.Arbitrary<Extract<Observation, { kind: Kind }>> } = {
  "container.inventory": record({ kind: fc.constant("container.inventory"), observedAt: date, containers: inventory }),
  "container.seen": record({ kind: fc.constant("container.seen"), observedAt: date, container: anySighting }),
  "container.gone": record({ kind: fc.constant("container.gone"), observedAt: date, externalId: id }),
  "container.last_words": record({
    kind: fc.constant("container.last_words"),
    observedAt: date,
    externalId: id,
    endedAt: date,
    snippet: fc.oneof(text(500), fc.constantFrom("\u001b[31mred\u001b[0m\nüü\n", "x".repeat(10_240), "ü".repeat(5120))),
  }),
  "host.watched": fc
    .tuple(date, date)
    .map(([one, other]) => [one, other].toSorted((left, right) => left.getTime() - right.getTime()))
    .map(([since = new Date(0), observedAt = since]) => ({ kind: "host.watched", observedAt, since })),
  "endpoint.checked": record({
    kind: fc.constant("endpoint.checked"),
    observedAt: date,
    key: id.map((externalId) => `${externalId}/service.endpoint.3.http`),
    result: checkResult,
  }),
  "certificate.scanned": record({
    kind: fc.constant("certificate.scanned"),
    observedAt: date,
    target: certificateTarget,
    scan: certificateScan,
  }),
  "runtime.changed": fc.tuple(date, runtimeConnection).map(([other, status]) => ({
    kind: "runtime.changed",
    observedAt: new Date(Math.max(other.getTime(), status.since.getTime())),
    status,
  })),
  "host.sampled": record({ kind: fc.constant("host.sampled"), observedAt: date, host: hostReading }),
  "swarm.observed": record({ kind: fc.constant("swarm.observed"), observedAt: date, swarm }),
  "kubernetes.observed": record({ kind: fc.constant("kubernetes.observed"), observedAt: date, kubernetes }),
  "resources.sampled": record({
    kind: fc.constant("resources.sampled"),
    observedAt: date.map((any) => new Date(any.getTime() - (any.getTime() % TICK_MS))),
    readings,
  }),
};
