import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isApiError } from "../../api/client.ts";
import { ErrorNote } from "../error-note.tsx";
import { SkeletonRows } from "../skeleton.tsx";

interface Properties {
  /** `channels`, as a sentence names them. */
  what: string;
  query: Pick<UseQueryResult, "data" | "error" | "isPending" | "refetch">;
  /** What still works while they cannot be read. */
  children: ReactNode;
}

/** That a list is being read, or could not be. */
export function Reading({ what, query: { data, error, isPending, refetch }, children }: Properties) {
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  return (
    <>
      {hasFailed && (
        <ErrorNote what={`Could not load ${what}.`} error={error} onRetry={() => void refetch()}>
          {children}
          {data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-4">
          <SkeletonRows count={4} label={`Loading ${what}`} />
        </div>
      )}
    </>
  );
}
