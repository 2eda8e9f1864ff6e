import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { Button } from "./button.tsx";

interface Properties {
  /** What happened: `Could not load containers.` */
  what: string;
  error: unknown;
  /** What is kept, and what to do. */
  children?: ReactNode;
  onRetry?: () => void;
}

/** Something failed: what happened, why, what is kept, what to do. */
export function ErrorNote({ what, error, children, onRetry }: Properties) {
  return (
    <div role="alert" className="my-4 flex max-w-[80ch] gap-3 rounded border border-line bg-down-soft px-4 py-3">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-down" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
        <p className="font-[550]">{what}</p>
        <p dir="auto" className="wrap-anywhere text-ink-2">
          {reasonOf(error)}
        </p>
        {children !== undefined && <div className="text-ink-2">{children}</div>}
        {onRetry !== undefined && (
          <Button className="mt-2" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  return error.code === "internal" && error.requestId !== undefined ? `${error.message} (request ${error.requestId})` : error.message;
}
