/**
 * `npm run pictures` takes the pictures of README and docs/ again, each in light, dark and phone size: of the demo, whose data is made up, and of a
 * control plane of Kubernetes with something of everything.
 */
import { join } from "node:path";
import { startBrowser } from "../test/support/browser.ts";
import { startProgram } from "../test/support/program.ts";
import { build } from "./build.ts";
import { startKubernetesScene } from "./pictures/kubernetes.ts";
import { takePictures } from "./pictures/take.ts";
import { installFor } from "./test-parts.ts";
import { continueIsolated } from "./testing/isolation.ts";

const FOLDER = join(import.meta.dirname, "../docs/pictures");

installFor(["test/support/kubernetes/cluster.ts", "test/support/browser.ts"]);
await continueIsolated();
process.exitCode = await main();

async function main(): Promise<number> {
  await build({ ifStale: true });
  await using stack = new AsyncDisposableStack();
  const { kubernetes, crashing } = await startKubernetesScene(stack);
  const demo = await startProgram({ env: { SERVICE_DEMO: "true" } });
  stack.defer(async () => void (await demo.stop()));
  const browser = await startBrowser();
  stack.defer(() => browser.close());
  const pages = [
    { name: "overview", url: `${demo.url}/` },
    { name: "kubernetes-workloads", url: `${kubernetes.url}/kubernetes` },
    { name: "kubernetes-workload", url: `${kubernetes.url}/kubernetes/workloads/${crashing}` },
  ];
  const failures = await takePictures(browser, pages, FOLDER);
  if (failures.length > 0) console.error(failures.join("\n"));
  return failures.length === 0 ? 0 : 1;
}
