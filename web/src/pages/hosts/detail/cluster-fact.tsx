import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { namespacesQuery } from "../../../api/kubernetes.ts";
import { Fact } from "../../../ui/facts.tsx";
import { standingWords } from "../../../entities/kubernetes/cluster-words.ts";

/** Whether an agent watches its cluster of Kubernetes, or stands by for another one. Nothing while that is not known. */
export function ClusterFact({ agentId }: { agentId: string }) {
  const { data } = useQuery(namespacesQuery(agentId));
  const host = data?.clusters.flatMap(({ hosts }) => hosts).find((each) => each.agent_id === agentId);
  if (host === undefined) return null;
  return (
    <Fact name="Cluster">
      <bdi>{standingWords(host)}</bdi>{" "}
      <Link to="/kubernetes" search={{}} className="underline underline-offset-2 hover:text-ink">
        Show it
      </Link>
    </Fact>
  );
}
