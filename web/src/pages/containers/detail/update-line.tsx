import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { containerUpdateQuery } from "../../../api/updates.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { containerLine } from "../../../entities/updates/words.ts";

/** One line when a newer image is there, or when it performs worse since its image changed. Its place is kept, so that nothing moves. */
export function UpdateLine({ id }: { id: number }) {
  const { data } = useQuery(containerUpdateQuery(id));
  const told = data === undefined ? undefined : containerLine(data);
  return <div className="mt-3 -mb-4 h-5">{told !== undefined && <Line id={id} {...told} />}</div>;
}

function Line({ id, text, isWorse }: { id: number; text: string; isWorse: boolean }) {
  return (
    <Link
      to="/containers/$id"
      params={{ id }}
      search={{ tab: "updates" }}
      className="flex w-fit max-w-full items-center gap-2 text-ink-2 hover:text-ink"
    >
      {isWorse && <StatusIcon status="degraded" />}
      <span dir="auto" title={text} className="truncate underline decoration-line-strong underline-offset-2">
        {text}
      </span>
    </Link>
  );
}
