import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { WorkloadList } from "../../../src/monitoring/kubernetes/answers.ts";
import { DESKTOP, openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { startCluster, type TestCluster } from "../../support/kubernetes/cluster.ts";
import { runAllPods, setPodStatus, type TestPod } from "../../support/kubernetes/pods.ts";
import { waiting } from "../../support/kubernetes-objects.ts";
import { overflow, settled, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const OBJECTS = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      initContainers: [{ name: migrate, image: "shop/web:1.4" }]
      containers:
        - { name: web, image: "shop/web:1.4", resources: { requests: { cpu: 100m, memory: 64Mi }, limits: { memory: 128Mi } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: broken, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: broken } }
  template:
    metadata: { labels: { app: broken } }
    spec: { containers: [{ name: app, image: "shop/broken:2" }] }
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: { name: nightly, namespace: shop }
spec:
  schedule: "0 3 * * *"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: job, image: "shop/job:3" }] } } } }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: shop }
spec:
  rules:
    - host: shop.example.org
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: shop }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

/** What a real cluster runs is on the pages, and they follow it. */
describe("a cluster of Kubernetes, in the browser", () => {
  let cluster: TestCluster;
  let kubelets: { stop(): Promise<void> };
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
  const tab = (name: string) => page.getByRole("navigation", { name: "Kubernetes", exact: true }).getByRole("link", { name, exact: true });
  const workloads = async () => (await program.get<Partial<WorkloadList>>("/api/v1/kubernetes/workloads")).workloads ?? [];
  const isBroken = ({ metadata }: TestPod): boolean => metadata.name.startsWith("broken");

  before(async () => {
    cluster = await startCluster({ controllers: true });
    await cluster.addNode("node-a");
    kubelets = runAllPods(cluster.api, { leaves: isBroken });
    await cluster.kubectl("create", "namespace", "shop");
    await cluster.apply(OBJECTS);
    const [pod] = await until(async () => {
      const { items } = await cluster.api.get<{ items: TestPod[] }>("/api/v1/namespaces/shop/pods");
      const found = items.filter((each) => isBroken(each) && each.spec.nodeName !== undefined);
      return found.length > 0 ? found : undefined;
    });
    const containerStatuses = [waiting("app", "CrashLoopBackOff", { restartCount: 6, last: { exitCode: 1, reason: "Error" } })];
    await setPodStatus(cluster.api, { namespace: "shop", name: pod?.metadata.name ?? "", status: { phase: "Running", containerStatuses } });
    program = await startProgram({ env: { SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: cluster.kubeconfig } });
    await until(async () => (await workloads()).some(({ name, state }) => name === "web" && state === "running"), { everyMs: 100 });
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${program.url}/`);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    await kubelets?.stop();
    await cluster?.stop();
  });

  it("is led to by the rail, and lists workloads by namespace with what is wrong", async () => {
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Kubernetes" }).click();
    await row("web").getByText("2 / 2").waitFor();
    await row("broken")
      .getByText(/Crash-looping · app keeps crashing: exit code 1/)
      .first()
      .waitFor();
    await row("nightly").waitFor();
  });

  it("follows what changes within two seconds", async () => {
    await cluster.kubectl("scale", "deployment/web", "-n", "shop", "--replicas=3");
    await row("web").getByText("3 / 3").waitFor({ timeout: 6_000 });
  });

  it("narrows in its address", async () => {
    await page.goto(`${program.url}/kubernetes?q=night`);
    await row("nightly").waitFor();
    await row("web").waitFor({ state: "detached" });
    await page.goto(`${program.url}/kubernetes`);
  });

  it("shows one workload with its pods, what leads to it, and commands", async () => {
    await row("web").getByRole("link", { name: "web", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: /web/ }).waitFor();
    await until(async () => (await page.getByText(/^web-[0-9a-f]+-\w{5}$/).count()) >= 3, { what: "three pods" });
    await page.getByText("shop.example.org").first().waitFor();
    await page.getByText("kubectl -n shop rollout undo deployment/web").first().waitFor();
  });

  it("lists pods, nodes, events, what leads in, and volumes", async () => {
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Kubernetes" }).click();
    await tab("Pods").click();
    await page
      .getByRole("row")
      .filter({ hasText: /^broken-/ })
      .or(page.getByRole("row").filter({ hasText: "CrashLoopBackOff" }))
      .first()
      .waitFor();
    await tab("Nodes").click();
    await page.getByText("node-a", { exact: true }).first().waitFor();
    await tab("Events").click();
    await page
      .getByText(/ScalingReplicaSet|SuccessfulCreate|Scheduled/)
      .first()
      .waitFor();
    await tab("Network").click();
    await page.getByText("shop.example.org").first().waitFor();
    await tab("Storage").click();
    await page.getByRole("table", { name: "Claims" }).getByText("shop/data").first().waitFor();
  });

  it("is found by the palette", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run" }).fill("nightly");
    await page
      .getByRole("option", { name: /nightly/ })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: /nightly/ }).waitFor();
  });

  for (const [size, viewport, colorScheme] of [
    ["a desktop", DESKTOP, "light"],
    ["a phone", PHONE, "dark"],
  ] as const) {
    it(`fits ${size}, and everybody can use it`, async () => {
      const { page: other } = await openPage(browser, { viewport, colorScheme });
      const id = (await workloads()).find(({ name }) => name === "web")?.id;
      for (const path of ["", "/pods", "/nodes", "/events", "/network", "/storage", `/workloads/${id}`]) {
        await other.goto(`${program.url}/kubernetes${path}`);
        await settled(other);
        assert.deepEqual(await overflow(other, path), []);
        assert.deepEqual(await violations(other, path), []);
      }
      await other.close();
    });
  }

  it("complains of nothing", () => assert.deepEqual(complaints, []));
});
