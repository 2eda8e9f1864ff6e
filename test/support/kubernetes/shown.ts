import assert from "node:assert/strict";
import type { AlertRecord } from "../../../src/alerting/alerts/api.ts";
import type { ActiveAlerts, AlertList } from "../../../src/alerting/alerts/answers.ts";
import type { RuntimeStatusRecord } from "../../../src/app/meta/answers.ts";
import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import type {
  ClusterRecord,
  PodList,
  PodRecord,
  WorkloadDetail,
  WorkloadList,
  WorkloadRecord,
} from "../../../src/monitoring/kubernetes/answers.ts";
import type { Program } from "../program.ts";
import { until } from "../until.ts";

/** The program shows a change within a second or two; controllers, nodes and other programs on this machine take longer. */
export const SEEN = { withinMs: 90_000, everyMs: 100 };

/** What the program shows of a cluster. Names are `namespace/name`. */
export function shownBy(program: () => Pick<Program, "get">) {
  const list = (): Promise<Partial<WorkloadList>> => program().get<Partial<WorkloadList>>("/api/v1/kubernetes/workloads?limit=200");
  const workloads = async (): Promise<WorkloadRecord[]> => (await list()).workloads ?? [];
  const workload = async (name: string): Promise<WorkloadRecord | undefined> =>
    (await workloads()).find((each) => `${each.namespace}/${each.name}` === name);
  const rows = async (): Promise<ContainerRecord[]> =>
    (await program().get<ContainerList>("/api/v1/containers?limit=100")).groups.flatMap(({ containers }) => containers);
  const alerts = async (): Promise<AlertRecord[]> => (await program().get<ActiveAlerts>("/api/v1/alerts/active")).alerts;
  const alert = async (event: string, entity: string): Promise<AlertRecord | undefined> =>
    (await alerts()).find((each) => each.source === "kubernetes" && each.event === event && each.entity_name === entity);

  return {
    /** Undefined until one is seen. */
    cluster: async (): Promise<ClusterRecord | undefined> => (await list()).clusters?.[0],
    runtime: (): Promise<RuntimeStatusRecord> => program().get<RuntimeStatusRecord>("/api/v1/runtime/status"),
    workloads,
    workload,
    names: async (): Promise<string[]> => (await workloads()).map(({ namespace, name }) => `${namespace}/${name}`).toSorted(),
    async detail(name: string): Promise<WorkloadDetail> {
      const found = await workload(name);
      assert.ok(found, name);
      return program().get<WorkloadDetail>(`/api/v1/kubernetes/workloads/${found.id}`);
    },
    pods: async (search: string): Promise<PodRecord[]> =>
      (await program().get<PodList>(`/api/v1/kubernetes/pods?search=${encodeURIComponent(search)}`)).pods,
    rows,
    row: async (name: string): Promise<ContainerRecord | undefined> => (await rows()).find((each) => each.name === name),
    alerts,
    alert,
    /** `event entity`, of clusters. */
    alerted: async (): Promise<string[]> =>
      (await alerts())
        .filter(({ source }) => source === "kubernetes")
        .map(({ event, entity_name: entity }) => `${event} ${entity}`)
        .toSorted(),
    raised: (event: string, entity: string): Promise<AlertRecord> =>
      until(() => alert(event, entity), { ...SEEN, what: `${event} of ${entity}` }),
    /** Waits until an alert is over; it must have been seen to be so, or its object to be removed, as `by` says. */
    async over(event: string, entity: string, by: "observation" | "removal"): Promise<void> {
      await until(async () => (await alert(event, entity)) === undefined, { ...SEEN, what: `the end of ${event} of ${entity}` });
      const { alerts: past } = await program().get<AlertList>("/api/v1/alerts?status=resolved&limit=100");
      const found = past.find((each) => each.event === event && each.entity_name === entity);
      assert.equal(found?.resolution?.by, by, `${event} of ${entity}: ${found?.resolution?.reason}`);
    },
  };
}
