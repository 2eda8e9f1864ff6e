import { Link } from "@tanstack/react-router";
import type { TaskRecord } from "../../../../../src/monitoring/swarm/answers.ts";
import { asObserved, taskStatus } from "../../../format/service-status.ts";
import { GridTable } from "../../../lists/grid-table.tsx";
import { Age } from "../../../ui/age.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { Name } from "../../../ui/name.tsx";
import { StatusWord } from "../../../ui/status-word.tsx";

const COLUMNS =
  "grid items-center gap-x-4 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,0.8fr)_minmax(0,2fr)_minmax(0,0.8fr)_60px_72px]";
const TITLES = ["Task", "Status", "Node", ["Exit code", "text-right"], ["Since", "text-right"]] as const;

/** Tasks with their slot, state, node and error, in the order given; as last known where no manager shows them. */
export function TaskTable({ tasks, label, isObserved = true }: { tasks: readonly TaskRecord[]; label: string; isObserved?: boolean }) {
  return (
    <GridTable label={label} columns={COLUMNS} titles={TITLES}>
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} isObserved={isObserved} />
      ))}
    </GridTable>
  );
}

function TaskRow({ task, isObserved }: { task: TaskRecord; isObserved: boolean }) {
  const status = asObserved(taskStatus(task), isObserved);
  return (
    <div role="row" className={`${COLUMNS} h-(--row-narrow) border-t border-line max-md:content-center max-md:gap-y-0.5 md:h-(--row)`}>
      <div role="cell" className="min-w-0 font-[550]">
        {task.container_id === null ? (
          <Name>{task.name}</Name>
        ) : (
          <Link to="/containers/$id" params={{ id: task.container_id }} className="block hover:underline">
            <Name>{task.name}</Name>
          </Link>
        )}
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div role="cell" className="min-w-0 text-ink-2">
        <Name>{task.node_name ?? "–"}</Name>
      </div>
      <div role="cell" className="text-right text-ink-2 tabular-nums max-md:hidden">
        {task.exit_code ?? "–"}
      </div>
      <div role="cell" className="text-right text-ink-2 max-md:order-4 max-md:text-xs">
        <Age at={task.since} />
      </div>
    </div>
  );
}
