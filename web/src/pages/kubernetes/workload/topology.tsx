import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { NodeRecord, PodRecord, WorkloadDetail } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { nodesQuery } from "../../../api/kubernetes.ts";
import { nodeStatus, podStatus, workloadStatus } from "../../../format/kubernetes-status.ts";
import { countOf } from "../../../format/number.ts";
import type { Status } from "../../../format/status.ts";
import { Name } from "../../../ui/name.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { nodeBranches, nodesLeftOut } from "./branches.ts";

/** A workload, its pods and the nodes that they are on, as a tree that reads from left to right; on a phone from top to bottom. */
export function Topology({ workload }: { workload: WorkloadDetail }) {
  const { data } = useQuery(nodesQuery());
  const nodes = new Map(data?.nodes.map((node) => [node.id, node]));
  const leftOut = nodesLeftOut(workload.pods);
  return (
    <div className="grid py-4 md:grid-cols-[fit-content(18rem)_32px_minmax(0,1fr)]">
      <div className="flex min-w-0 items-center">
        <Box status={workloadStatus(workload).status} label={workload.kind} name={workload.name} />
      </div>
      <Line />
      <ul aria-label="Pods by node" className="flex flex-col justify-center gap-3 border-l border-line-strong py-1 max-md:mt-3 max-md:ml-3">
        {nodeBranches(workload.pods).map(({ key, nodeName, pods, hidden }) => (
          <li key={key} className="grid items-center max-md:pl-4 md:grid-cols-[24px_minmax(0,26rem)_32px_minmax(0,16rem)]">
            <Line />
            <ul aria-label={`Pods on ${nodeName ?? "no node"}`} className="flex min-w-0 flex-col md:px-2">
              {pods.map((pod) => (
                <PodLeaf key={pod.id} pod={pod} />
              ))}
              {hidden > 0 && <li className="text-xs text-ink-3">and {countOf(hidden, "more pod")}</li>}
            </ul>
            <Line />
            <div className="min-w-0 max-md:mt-1 max-md:ml-4">
              <NodeBox name={nodeName} node={nodes.get(pods[0]?.node_id ?? "")} />
            </div>
          </li>
        ))}
        {leftOut > 0 && <li className="pl-4 text-xs text-ink-3">and pods on {countOf(leftOut, "more node")}</li>}
      </ul>
    </div>
  );
}

/** From one column to the next. */
function Line() {
  return (
    <span aria-hidden className="flex items-center max-md:hidden">
      <span className="h-px w-full bg-line-strong" />
    </span>
  );
}

function PodLeaf({ pod }: { pod: PodRecord }) {
  const { status, word } = podStatus(pod);
  return (
    <li className="flex h-7 min-w-0 items-center gap-2">
      <StatusIcon status={status} />
      <Name>{pod.name}</Name>
      {status !== "ok" && <span className="shrink-0 text-xs text-ink-2">{word}</span>}
    </li>
  );
}

function NodeBox({ name, node }: { name: string | null; node: NodeRecord | undefined }) {
  if (name === null) return <p className="text-sm text-ink-2">On no node yet</p>;
  const shown = node === undefined ? undefined : nodeStatus(node);
  return (
    <Link to="/kubernetes/nodes" search={{ node: name }} className="inline-block max-w-full rounded hover:bg-hover">
      <Box
        status={shown?.status}
        label={shown === undefined || shown.status === "ok" ? "Node" : `Node, ${shown.word.toLowerCase()}`}
        name={name}
      />
    </Link>
  );
}

function Box({ status, label, name }: { status: Status | undefined; label: string; name: string }) {
  return (
    <span className="block max-w-full min-w-0 rounded border border-line-strong px-3 py-1.5">
      <bdi className="block truncate text-xs text-ink-2">{label}</bdi>
      <span className="flex min-w-0 items-center gap-2 font-[550]">
        {status !== undefined && <StatusIcon status={status} />}
        <Name>{name}</Name>
      </span>
    </span>
  );
}
