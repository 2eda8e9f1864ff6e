/**
 * The whole program over a runtime with so many containers of so many images of the given registries, every second one of them exposed. Its
 * only argument is JSON: see {@link World}.
 */
import { createFakeRuntime, fakeContainer } from "../../../test/support/fake-runtime.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { sparePort } from "../../../test/support/postgres.ts";
import { createServer } from "../../../src/app/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { residentBytes, serveQuestions } from "../questions.ts";
import { contentOf, repositoryOf, runningTag } from "../registry-content.ts";

export interface World {
  containers: number;
  images: number;
  ports: number[];
  license: string;
  publicKeyPem: string;
}

const LOOK_EVERY_MS = 50;

// What the bench itself wrote.
const { containers, images, ports, license, publicKeyPem } = JSON.parse(process.argv[2] ?? "{}") as World;
const runtime = createFakeRuntime(0);
for (let number = 1; number <= containers; number += 1) {
  const image = number % images;
  const repository = repositoryOf(image);
  const tag = runningTag(image);
  const isExposed = number % 2 === 0;
  const container = fakeContainer(number, {
    image: `127.0.0.1:${ports[image % ports.length]}/${repository}:${tag}`,
    imageDigest: contentOf(repository, tag).index.digest,
    imagePlatform: "linux/amd64",
    privileged: number % 7 === 0,
    ports: isExposed ? [{ containerPort: 5432, protocol: "tcp", hostIp: "0.0.0.0", hostPort: 10_000 + number }] : [],
  });
  runtime.containers.set(container.externalId, container);
}

const port = await sparePort();
const start = parseConfig({
  argv: [],
  env: {
    SERVICE_ADDR: `127.0.0.1:${port}`,
    SERVICE_DATA_DIR: temporaryFolder(),
    SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
    SERVICE_LICENSE_KEY: license,
    SERVICE_UPDATE_PRIVATE_HOSTS: ports.map((each) => `http://127.0.0.1:${each}`).join(","),
  },
});
if (!("config" in start)) throw new Error("no configuration");
const build = { version: "0.0.0", builtAt: new Date(), publicKeyPem };
const server = createServer({ config: start.config, build, runtime, webRoot: "dist/web", clock: systemClock, log: silentLog });
await server.start();

let most = 0;
setInterval(() => {
  most = Math.max(most, residentBytes(process.pid));
}, LOOK_EVERY_MS).unref();

serveQuestions(port, {
  /** What is resident now, and the most since the last time of asking. */
  memory() {
    const now = residentBytes(process.pid);
    const resident = { now, most: Math.max(most, now) };
    most = now;
    return resident;
  },
});
