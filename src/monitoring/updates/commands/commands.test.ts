import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { type CommandInput, commandsFor } from "./index.ts";
import { quote } from "./command.ts";

const OLD = `sha256:${"a".repeat(64)}`;

function input(labels: Record<string, string>, changes: Partial<CommandInput> = {}): CommandInput {
  return {
    container: { name: "web", image: "nginx:1.27", imageId: `sha256:${"b".repeat(64)}`, runtime: "docker", labels, agentId: null },
    registryName: "nginx",
    currentTag: "1.27",
    currentDigest: OLD,
    availableTag: "1.28",
    availableDigest: null,
    updateType: "minor",
    ...changes,
  };
}

const SERVICE = "com.docker.compose.service";
const FOLDER = "com.docker.compose.project.working_dir";
const FILES = "com.docker.compose.project.config_files";
const COMPOSE = {
  "com.docker.compose.project": "shop",
  "com.docker.compose.service": "web",
  "com.docker.compose.project.working_dir": "/srv/shop",
  "com.docker.compose.project.config_files": "/srv/shop/compose.yaml,extra/prod.yaml",
};

test("a quoted text is one word to a real shell, whatever is in it", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 40 }), { minLength: 1, maxLength: 100 }), (texts) => {
      const given = texts.map((text) => text.replaceAll("\0", "").toWellFormed());
      const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${given.map(quote).join(" ")}`], { encoding: "utf8" });
      assert.deepEqual(printed.split("\0").slice(0, -1), given);
    }),
    { numRuns: 15, examples: [[["$(id)", "`id`", "it's", "two\nlines", "", "-n", "~", "*", "a b", '"', "\\", "#x", "!1"]]] },
  );
});

test("compose: the same tag is pulled again, with the project's files where they are", () => {
  const { update } = commandsFor(input(COMPOSE, { availableTag: null, updateType: "digest" }));
  assert.equal(
    update?.text.split("\n").slice(2).join("\n"),
    [
      "  set -- -p shop --project-directory /srv/shop -f /srv/shop/compose.yaml -f /srv/shop/extra/prod.yaml",
      '  compose "$@" pull web && compose "$@" up -d --no-deps web',
      ")",
    ].join("\n"),
  );
});

test("compose: a name without a tag means the tag latest, which the file already has", () => {
  const { update } = commandsFor(input(COMPOSE, { currentTag: null, availableTag: "latest", updateType: "digest" }));
  assert.doesNotMatch(update?.text ?? "", /override/);
});

test("compose: what runs by its digest gets its tag back", () => {
  const given = input(COMPOSE, { availableTag: null, updateType: "digest" });
  const { update } = commandsFor({ ...given, container: { ...given.container, image: `nginx:1.27@${OLD}` } });
  assert.match(update?.text ?? "", /image: "nginx:1\.27"/);
});

test("compose: the file that an earlier command of ours handed over is not looked for again", () => {
  const files = "/srv/shop/compose.yaml,/tmp/image-override.a1B2c3";
  const { update } = commandsFor(input({ ...COMPOSE, "com.docker.compose.project.config_files": files }, { availableTag: "1.27" }));
  assert.match(update?.text ?? "", /-f \/srv\/shop\/compose\.yaml\n/);
});

const TASK = { "com.docker.swarm.service.name": "shop_web" };
const NEW = `sha256:${"c".repeat(64)}`;

test("swarm: the service gets the image by its digest and keeps the tag, and the engine remembers what it was", () => {
  const { update, rollback } = commandsFor(input(TASK, { availableDigest: NEW }));
  assert.equal(update?.text, `docker service update --image nginx:1.28@${NEW} --with-registry-auth shop_web`);
  assert.equal(rollback?.text, "docker service rollback shop_web");
  assert.match(rollback?.note ?? "", /after the update/);
});

test("swarm: new content of the same tag is an update that the engine can undo too", () => {
  const { update, rollback } = commandsFor(input(TASK, { availableTag: null, availableDigest: NEW, updateType: "digest" }));
  assert.equal(update?.text, `docker service update --image nginx:1.27@${NEW} --with-registry-auth shop_web`);
  assert.equal(rollback?.text, "docker service rollback shop_web");
});

test("swarm: the engine remembers what no registry knows", () => {
  const { update, rollback } = commandsFor(input(TASK, { availableDigest: NEW, currentDigest: null }));
  assert.equal(rollback?.text, "docker service rollback shop_web");
  assert.doesNotMatch(update?.note ?? "", /no command back/);
});

test("swarm: without a digest of a registry the engine looks the tag up", () => {
  for (const availableDigest of [null, "sha256:short", "$(id)"])
    assert.equal(
      commandsFor(input(TASK, { availableDigest })).update?.text,
      "docker service update --image nginx:1.28 --with-registry-auth shop_web",
    );
});

test("swarm: an update of before is undone by its digest, since the service may have been changed since", () => {
  for (const wasRenamed of [true, false]) {
    const { rollback } = commandsFor(input(TASK, { updateType: null, wasRenamed }));
    assert.equal(rollback?.text, `docker service update --image nginx@${OLD} --with-registry-auth shop_web`);
  }
});

const WORKLOAD = { kind: "Deployment", name: "shop", namespace: "prod", containers: ["web"] };

test("kubernetes: the workload's container gets the image, and goes back to the revision before", () => {
  const { update, rollback } = commandsFor(input({}, { workload: WORKLOAD }));
  assert.equal(update?.text, "kubectl set image deployment/shop web=nginx:1.28 -n prod");
  assert.equal(rollback?.text, "kubectl rollout undo deployment/shop -n prod");
});

test("kubernetes: the revision before is known without a digest", () => {
  const { update, rollback } = commandsFor(input({}, { workload: WORKLOAD, currentDigest: null }));
  assert.equal(rollback?.text, "kubectl rollout undo deployment/shop -n prod");
  assert.doesNotMatch(update?.note ?? "", /no command back/);
});

test("kubernetes: all containers that run the image get the new one", () => {
  const { update } = commandsFor(input({}, { workload: { ...WORKLOAD, containers: ["web", "warm-up"] } }));
  assert.equal(update?.text, "kubectl set image deployment/shop web=nginx:1.28 warm-up=nginx:1.28 -n prod");
});

test("kubernetes: where the tag stays the pods are started again, and no revision has the old content", () => {
  const workload = { ...WORKLOAD, kind: "DaemonSet" };
  const { update, rollback } = commandsFor(input({}, { workload, availableTag: null, updateType: "digest" }));
  assert.equal(update?.text, "kubectl rollout restart daemonset/shop -n prod");
  assert.match(update?.note ?? "", /imagePullPolicy/);
  assert.equal(rollback?.text, `kubectl set image daemonset/shop web=nginx@${OLD} -n prod`);
});

test("kubernetes: what is not rolled out goes back by digest, and is not restarted", () => {
  const workload = { ...WORKLOAD, kind: "CronJob" };
  const { update, rollback } = commandsFor(input({}, { workload }));
  assert.equal(update?.text, "kubectl set image cronjob/shop web=nginx:1.28 -n prod");
  assert.equal(rollback?.text, `kubectl set image cronjob/shop web=nginx@${OLD} -n prod`);
  assert.equal(commandsFor(input({}, { workload, availableTag: null, updateType: "digest" })).update, null);
});

const NO_WORKLOADS: [what: string, workload: NonNullable<CommandInput["workload"]>][] = [
  ["a kind whose pods are made once", { ...WORKLOAD, kind: "Job" }],
  ["a kind that kubectl does not know", { ...WORKLOAD, kind: "Rollout" }],
  ["a kind with a shell in it", { ...WORKLOAD, kind: "Deployment;id" }],
  ["a name that is an option", { ...WORKLOAD, name: "--kubeconfig=/tmp/x" }],
  ["a name with a shell in it", { ...WORKLOAD, name: "$(id)" }],
  ["a name of two lines", { ...WORKLOAD, name: "shop\nid" }],
  ["a namespace that is an option", { ...WORKLOAD, namespace: "-A" }],
  ["a container that is an option", { ...WORKLOAD, containers: ["web", "--token=x"] }],
  ["a container with a sign of equality", { ...WORKLOAD, containers: ["web=evil"] }],
  ["no container that runs the image", { ...WORKLOAD, containers: [] }],
];
for (const [what, workload] of NO_WORKLOADS) {
  test(`kubernetes: there is no command for ${what}`, () => {
    assert.deepEqual(commandsFor(input({}, { workload })), { update: null, rollback: null });
  });
}

const NONE_CASES: [what: string, given: CommandInput, expected: { update: boolean; rollback: boolean }][] = [
  ["nothing newer is known", input({}, { updateType: null, availableTag: null }), { update: false, rollback: true }],
  ["the image was built on the host", input({}, { currentDigest: null }), { update: true, rollback: false }],
  ["only the id of the image is known", input({}, { currentDigest: `sha256:${"b".repeat(64)}` }), { update: true, rollback: false }],
  ["the digest is none", input({}, { currentDigest: "sha256:$(id)" }), { update: true, rollback: false }],
  ["the tag is none", input({}, { availableTag: "1 && id" }), { update: false, rollback: true }],
  ["the repository is none", input({}, { registryName: 'x","Cmd":["id"]' }), { update: false, rollback: false }],
  [
    "it has a digest and no tag",
    { ...input({}, { currentTag: null, availableTag: null }), container: { ...input({}).container, image: `nginx@${OLD}` } },
    { update: false, rollback: true },
  ],
  [
    "Kubernetes runs it",
    { ...input({}), container: { ...input({}).container, runtime: "kubernetes" } },
    { update: false, rollback: false },
  ],
  ["a pod's container is seen by its engine", input({ "io.kubernetes.pod.name": "web-1" }), { update: false, rollback: false }],
];
for (const [what, given, expected] of NONE_CASES) {
  test(`what cannot be given is null: ${what}`, () => {
    const { update, rollback } = commandsFor(given);
    assert.deepEqual({ update: update !== null, rollback: rollback !== null }, expected);
    if (update !== null && rollback === null) assert.match(update.note ?? "", /no command back/);
  });
}

test("paths and names reach a shell only as words", () => {
  const hostile = "x'; touch /tmp/owned; '$(id) `id`";
  const labels = { ...COMPOSE, [FILES]: `/srv/${hostile}.yaml`, [FOLDER]: `/${hostile}` };
  const { update, rollback } = commandsFor(input(labels));
  for (const command of [update, rollback]) {
    assert.match(command?.text ?? "", /-f '/);
    // Without what is between quotes nothing of it is left.
    const bare = (command?.text ?? "").replace(/'[^']*'|\\'/g, "");
    assert.doesNotMatch(bare, /touch|owned|id\)/);
    execFileSync("sh", ["-n"], { input: command?.text ?? "" });
  }
});

const REFUSED_LABELS: [label: string, value: string, why: RegExp][] = [
  [SERVICE, "--help", /names no service/],
  [SERVICE, "-f", /names no service/],
  [SERVICE, "web; id", /names no service/],
  [SERVICE, "web\n", /names no service/],
  ["com.docker.compose.project", "--host=tcp://evil.example", /names no project/],
  ["com.docker.compose.project", "Shop", /names no project/],
  ["com.docker.compose.project", "_shop", /names no project/],
  [FOLDER, "srv/shop", /is no plain, absolute path/],
  [FOLDER, "-f", /is no plain, absolute path/],
  [FOLDER, "/srv/../etc", /is no plain, absolute path/],
  [FOLDER, "/srv/shop\u202e", /is no plain, absolute path/],
  [FILES, "/srv/shop/compose.yaml,/srv/\u001b[2J", /is no plain, absolute path/],
  [FILES, "-", /is no plain, absolute path/],
  [FILES, "--help", /is no plain, absolute path/],
  [FILES, "../../etc/passwd", /is no plain, absolute path/],
  [FILES, "/srv/shop/../../etc/passwd", /is no plain, absolute path/],
  ["com.docker.compose.project.environment_file", "/srv/..", /is no plain, absolute path/],
];
for (const [label, value, why] of REFUSED_LABELS) {
  test(`compose: ${label}=${JSON.stringify(value)} makes no command of Compose, and the note says why`, () => {
    for (const command of Object.values(commandsFor(input({ ...COMPOSE, [label]: value })))) {
      assert.match(command?.text ?? "", /^sh -eu -s -- web nginx/);
      assert.ok(command?.note?.startsWith(`The label ${label} `), command?.note ?? "");
      assert.match(command?.note ?? "", why);
    }
  });
}

for (const name of ["web", "Web_1.api-x", "0"]) {
  test(`compose: a service may be called ${name}`, () => {
    assert.match(commandsFor(input({ ...COMPOSE, [SERVICE]: name })).update?.text ?? "", /compose "\$@" pull/);
  });
}

for (const name of ["--help", "-d", "shop web", "shop\n"]) {
  test(`swarm: a service that is called ${JSON.stringify(name)} has no command`, () => {
    assert.deepEqual(commandsFor(input({ "com.docker.swarm.service.name": name })), { update: null, rollback: null });
  });
}

test("containers of Compose whose labels do not say enough are re-created by the engine", () => {
  const { update } = commandsFor(input({ "com.docker.compose.project": "shop", "com.docker.compose.service": "web" }));
  assert.match(update?.text ?? "", /^sh -eu -s -- web nginx:1\.28 <<'RECREATE'\n/);
});
