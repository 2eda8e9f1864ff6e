import { Link } from "@tanstack/react-router";

/** Workloads that something leads to, each a link; with none, a dash. */
export function WorkloadLinks({ workloads }: { workloads: readonly { id: string; kind: string; name: string }[] }) {
  if (workloads.length === 0) return <span className="text-ink-3">–</span>;
  return (
    <ul className="flex flex-wrap gap-x-3">
      {workloads.map(({ id, kind, name }) => (
        <li key={id} className="min-w-0">
          <Link
            to="/kubernetes/workloads/$id"
            params={{ id }}
            search={{}}
            title={`${kind} ${name}`}
            className="block truncate underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
