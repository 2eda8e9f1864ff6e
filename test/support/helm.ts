import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { CHART, KUBERNETES_MANIFESTS, renderChart } from "../../tools/kubernetes-manifests.ts";
import { helm } from "../../tools/on-demand.ts";
import { parseYaml } from "./yaml.ts";

export { CHART, KUBERNETES_MANIFESTS, renderChart };

const run = promisify(execFile);

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
export type KubernetesObject = z.infer<typeof object>;

/** The objects of manifests. */
export async function objectsOf(manifests: string): Promise<KubernetesObject[]> {
  return z.array(object).parse((await parseYaml(manifests)).filter((each) => each !== null));
}

/** Runs Helm on the chart; rejects with what it prints when it finds fault. */
export async function runHelm(...args: string[]): Promise<string> {
  const { stdout } = await run(join(helm().commands, "helm"), args);
  return stdout;
}
