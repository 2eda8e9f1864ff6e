import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { channelsQuery } from "../../api/alert-queries.ts";

/** Whether alerts are sent nowhere, since there is no channel or none is enabled; undefined until that is known. */
export function useIsNobodyNotified(): boolean | undefined {
  const { data } = useQuery(channelsQuery);
  return data?.channels.every(({ enabled }) => !enabled);
}

/** Says so, and leads to where that is changed; nothing while somebody is. */
export function NobodyNotified() {
  if (useIsNobodyNotified() !== true) return null;
  return (
    <p className="mt-1 min-h-5 text-ink-2">
      Nobody is notified of alerts yet:{" "}
      <Link to="/notifications" search={{ create: "yes" }} className="underline underline-offset-2 hover:text-ink">
        add a channel
      </Link>
      .
    </p>
  );
}
