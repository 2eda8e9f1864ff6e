/**
 * Who may import whom, and what may be used where: the rules of ARCHITECTURE.md as data. tools/check-imports.ts enforces them;
 * to change a rule, change it here and there. Paths are from the root of the project; `*` stands for one part, `**` for any number.
 */

/** A part of the program, the first whose files match, and the parts it may import in addition to itself. */
export interface Zone {
  name: string;
  files: readonly string[];
  mayImport: readonly string[] | "all of src";
  /** Every other part may import it, without saying so. */
  forAll?: true;
}

export const ZONES: readonly Zone[] = [
  { name: "contract", files: ["src/contract/**"], mayImport: [], forAll: true },
  { name: "observations", files: ["src/observations.ts", "src/observations/*.ts"], mayImport: [] },
  { name: "events", files: ["src/events.ts", "src/events/*.ts"], mayImport: ["observations"] },
  { name: "platform", files: ["src/platform/**"], mayImport: [] },
  { name: "config", files: ["src/config/**"], mayImport: ["platform"] },
  { name: "storage", files: ["src/storage/**"], mayImport: ["platform"] },
  { name: "http", files: ["src/http/**"], mayImport: ["platform"] },
  { name: "runtime interface", files: ["src/runtimes/runtime.ts"], mayImport: ["platform", "observations"] },
  { name: "runtimes", files: ["src/runtimes/**"], mayImport: ["platform", "observations", "runtime interface"] },
  { name: "mcp", files: ["src/mcp/**"], mayImport: ["platform", "http", "storage"] },
  { name: "collector", files: ["src/collector/**"], mayImport: ["runtime interface", "runtimes", "observations", "platform"] },
  { name: "administration", files: ["src/administration/**"], mayImport: ["platform", "http", "mcp", "storage"] },
  { name: "editions", files: ["src/editions/**"], mayImport: ["platform", "http", "storage"] },
  {
    name: "fleet",
    files: ["src/fleet/**"],
    mayImport: ["observations", "events", "platform", "http", "storage", "mcp", "editions"],
  },
  { name: "images", files: ["src/images/**"], mayImport: ["platform", "storage", "observations"] },
  {
    name: "monitoring",
    files: ["src/monitoring/**"],
    mayImport: ["images", "observations", "events", "platform", "http", "mcp", "storage", "editions", "runtime interface"],
  },
  { name: "alerting", files: ["src/alerting/**"], mayImport: ["events", "platform", "http", "mcp", "storage", "editions"] },
  {
    name: "publishing",
    files: ["src/publishing/**"],
    mayImport: ["monitoring", "alerting", "events", "platform", "http", "mcp", "storage"],
  },
  { name: "demo", files: ["src/demo/**"], mayImport: "all of src" },
  { name: "app", files: ["src/app/**", "src/main.ts"], mayImport: "all of src" },
];

/** Files that import nothing but each other, not even a package: they go into the first script of the web app. */
export const PLAIN_FILES = ["src/contract/**"];

/** What the web app may take from the server as it stands. */
export const WEB_MAY_IMPORT = ["src/contract/**"];

/** What else it may take, as types: the shapes on the wire. No server code reaches a browser. */
export const WEB_MAY_IMPORT_TYPES = ["src/**/{api,answers}.ts", "src/events.ts", "src/platform/errors.ts"];

/** Folders of the web app that nobody imports but themselves and who routes to them: what two pages show is in web/src/ui or web/src/entities. */
export const WEB_PAGES = { folders: /^web\/src\/pages\/[^/]+\//, router: "web/src/router.tsx" };

/** A folder with an index.ts is a feature: from outside only these of its files are imported. */
export const FEATURE_DOORS = ["index.ts", "api.ts", "answers.ts"];

/** Imports of some files that only some files may make; `asTypes` may make them as types, `later` by `import()`. */
export interface Reservation {
  files: string;
  only: readonly string[];
  asTypes?: readonly string[];
  later?: readonly string[];
  why: string;
}

export const RESERVED: readonly Reservation[] = [
  {
    files: "src/storage/**",
    only: ["src/**/{store,*-store}.ts", "src/storage/**", "src/app/**"],
    asTypes: ["src/**/index.ts"],
    why: "SQL lives in files named store.ts or *-store.ts alone",
  },
  {
    files: "src/runtimes/docker/**",
    only: ["src/runtimes/**", "src/app/**"],
    why: "Docker's own words stay below src/runtimes",
  },
  {
    files: "src/{administration,alerting,fleet,mcp,monitoring,publishing}/**/api.ts",
    only: [
      "src/**/{api,answers,tools}.ts",
      "src/publishing/assistant/**",
      // Small ones that a row is read with, or that are answered at the start.
      "src/{administration/audit,alerting/channels}/store.ts",
      "src/alerting/suppression/{silence,maintenance-window,store}.ts",
      "src/publishing/status/page/routes.ts",
      "{src,web,test,tools}/**/*.test.ts",
      "{test,tools}/**",
    ],
    asTypes: ["src/**", "web/**"],
    later: ["src/**"],
    why: "the schemas of what routes take are made with their first request, see src/http/later-schemas.ts",
  },
  { files: "src/**/*.test.ts", only: [], why: "tests are imported by nobody" },
  { files: "{test,tools}/**", only: [], why: "the program does not depend on its tests and tools" },
];

/** Rules and nouns: they decide from their arguments, so they may neither reach the world nor read the clock. */
export const PURE_FILES = [
  "src/contract/*.ts",
  "src/events.ts",
  "src/events/*.ts",
  "src/observations.ts",
  "src/observations/*.ts",
  "src/editions/{edition,license}.ts",
  "src/monitoring/*/{changes,container,uptime}.ts",
  "src/monitoring/containers/excerpt.ts",
  "src/monitoring/resources/{digest,limits,snapshot,sparkline,watch}.ts",
  "src/monitoring/heartbeats/{heartbeat,records,schedule,snippets}.ts",
  "src/monitoring/endpoints/{changes,definition,endpoint,records,tally}.ts",
  "src/monitoring/endpoints/checks/{head,summary}.ts",
  "src/monitoring/certificates/{certificate,changes,records,verdict}.ts",
  "src/monitoring/waiting-observations.ts",
  "src/monitoring/swarm/{problems,records,replicas}.ts",
  "src/monitoring/security/{acknowledgment,ecosystem,insight,posture,records,steps,words}.ts",
  "src/collector/labelled/wanted.ts",
  "src/fleet/handshake.ts",
  "src/fleet/agents/agent.ts",
  "src/fleet/enrollment/{token,public-url}.ts",
  "src/fleet/enrollment/templates/*.ts",
  "src/fleet/uplink/{schedule,pace}.ts",
  "src/monitoring/updates/{enrichment,known-image,records,risk,standing}.ts",
  "src/images/image.ts",
  "src/images/registry/{faults,memory,schemas}.ts",
  "src/images/versions/*.ts",
  "src/monitoring/updates/commands/*.ts",
  "src/images/packages/{distribution,url-package,bill-of-materials,package-list}.ts",
  "src/images/packages/managers/*.ts",
  "src/images/packages/layers/{tree,file}.ts",
  "src/images/vulnerabilities/{affected,ecosystem,findings,record,severity}.ts",
  "src/images/vulnerabilities/orders/*.ts",
  "src/monitoring/updates/comparisons/{comparison,image-run,verdict}.ts",
  "src/images/changelog/{breaking,forges,release,source}.ts",
  "src/fleet/wire/{batch,certificate,container,decode,sent-batch,endpoint,event,host,kubernetes,kubernetes-objects,kubernetes-parts,limits,swarm,values,vocabulary}.ts",
  "src/mcp/{access,arguments,fence,foreign-text}.ts",
  "src/mcp/server/messages.ts",
  "src/http/session.ts",
  "src/platform/object.ts",
  "src/publishing/assistant/evidence.ts",
  "src/publishing/assistant/changes/{change,descriptions}.ts",
  "src/publishing/assistant/explain/{checks,ends,facts,findings}.ts",
  "src/platform/look-back.ts",
  "src/mcp/oauth/{authorization,client,connection,grant,metadata,parameters,scopes,token}.ts",
  "src/platform/outbound-error.ts",
  "src/alerting/alerts/{alert,decide,host-sources,queue,recent,register,sources,stages,trace}.ts",
  "src/alerting/channels/{channel,headers,settings}.ts",
  "src/alerting/channels/kinds/*.ts",
  "src/alerting/deliveries/rows.ts",
  "src/publishing/webhooks/{rows,webhook}.ts",
  "src/platform/delivery-schedule.ts",
  "src/alerting/suppression/{maintenance-window,period,records,silence}.ts",
  "src/alerting/routing/{filters,routing}.ts",
  "src/alerting/escalation/{policy,purge,records,rows,run}.ts",
  "src/publishing/status/vocabulary.ts",
  "src/publishing/status/page/{theme,projection,words,changes,atom}.ts",
  "src/publishing/status/settings/settings.ts",
  "src/publishing/status/components/{account,arrangement,component,derivation,records,rows}.ts",
  "src/publishing/status/incidents/{automatic,incident,records,register,rows}.ts",
  "src/publishing/status/subscribers/{notice,rows,subscriber}.ts",
];

/** What a pure file may not import other than as types. */
export const IMPURE = ["src/storage/**", "src/http/**", "src/mcp/server/**", "src/platform/{bus,clock,log,scheduler,outbound}.ts"];
/** Modules of Node that only compute. */
export const PURE_MODULES = ["node:crypto", "node:url", "node:util", "node:buffer", "node:assert"];

/** Things of the language and of Node that belong to one place. A name with a dot is a member; with () only a call without arguments counts. */
export interface Confinement {
  uses: readonly string[];
  only: readonly string[];
  why: string;
}

export const CONFINED: readonly Confinement[] = [
  { uses: ["process.env"], only: ["src/config/**"], why: "what the environment says arrives in the config" },
  {
    uses: ["setTimeout", "setInterval", "Date.now", "performance.now", "AbortSignal.timeout", "new Date()", "Date()"],
    only: ["src/platform/**"],
    why: "time comes from the Clock of src/platform/clock.ts, so that tests can turn it",
  },
  {
    uses: ["fetch", "new WebSocket", "new EventSource"],
    only: ["src/platform/outbound.ts", "src/runtimes/**", "src/app/healthcheck.ts"],
    why: "outgoing connections go through src/platform/outbound.ts or a runtime's client",
  },
];

/** The same for names imported from modules. `*` is the whole module under one name. */
export interface ModuleConfinement {
  modules: readonly string[];
  names: readonly string[];
  only: readonly string[];
  why: string;
}

export const CONFINED_MODULES: readonly ModuleConfinement[] = [
  {
    modules: ["node:http", "node:https", "node:http2", "node:net", "node:tls", "node:dgram", "undici"],
    names: [
      "*",
      "request",
      "get",
      "connect",
      "createConnection",
      "createSocket",
      "Agent",
      "Socket",
      "TLSSocket",
      "fetch",
      "Client",
      "Pool",
    ],
    // Checks must reach private hosts and broken peers, which the outbound guard exists to refuse.
    // The bridge of assistants reaches its own instance, over a file.
    only: [
      "src/platform/outbound.ts",
      "src/runtimes/**",
      "src/collector/{peers,probes}/**",
      "src/app/healthcheck.ts",
      "src/app/mcp-stdio/**",
      "src/mcp/server/socket.ts",
      // An agent looks whether the port of its server is open again.
      "src/fleet/uplink/reopening.ts",
    ],
    why: "outgoing connections go through src/platform/outbound.ts, a runtime's client, or the checks of src/collector/peers and probes",
  },
  {
    modules: ["node:timers", "node:timers/promises"],
    names: ["*", "setTimeout", "setInterval", "scheduler"],
    only: ["src/platform/**"],
    why: "time comes from the Clock of src/platform/clock.ts, so that tests can turn it",
  },
  { modules: ["node:process"], names: ["*", "env"], only: ["src/config/**"], why: "what the environment says arrives in the config" },
];

/** What an entry's imports, followed to the end, must not lead to. */
export const UNREACHABLE: readonly { from: string; files: readonly string[] }[] = [
  { from: "src/app/agent.ts", files: ["src/alerting/**", "src/publishing/**", "src/{images,monitoring}/**/{store,*-store}.ts"] },
];

/** Files whose default export another program asks for. */
export const MAY_EXPORT_DEFAULT = ["web/vite.config.ts", "web/gallery/vite.config.ts"];

export const LONGEST_FILE_LINES = 400;
/** Files that programs write, and nobody reads from beginning to end. */
export const MAY_BE_LONGER = ["src/fleet/wire/gen/**"];
