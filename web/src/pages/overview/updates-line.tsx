import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { updateSummaryQuery } from "../../api/updates.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { overviewWords } from "../updates/words.ts";

/** One calm line on what could be updated. Its place is kept, so that nothing moves. */
export function UpdatesLine() {
  const { data } = useQuery(updateSummaryQuery(useChosenHost()));
  const words = data === undefined ? undefined : overviewWords(data);
  return (
    <p className="mt-1 h-5 truncate text-ink-2">
      {words !== undefined && (
        <Link to="/updates" search={{ status: "available" }} className="underline decoration-line-strong underline-offset-2 hover:text-ink">
          {words}
        </Link>
      )}
    </p>
  );
}
