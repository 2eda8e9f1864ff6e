import { Dialog as Base } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useRef } from "react";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { isApiError } from "../../api/client.ts";
import { containerUpdateQuery } from "../../api/updates.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Name } from "../../ui/name.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { UpdateDetails } from "../../entities/updates/update-details.tsx";

interface Properties {
  id: number;
  /** What the list knows of it, until all is read. */
  row: UpdateRecord | undefined;
  onClose: () => void;
}

/** The details of one row, beside the list. */
export function UpdateDrawer({ id, row, onClose }: Properties) {
  const { data: read, error, refetch } = useQuery(containerUpdateQuery(id));
  const data = read ?? row;
  const content = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          initialFocus={content}
          className="fixed inset-y-0 right-0 z-40 flex w-[min(47rem,100vw)] flex-col border-l border-line-strong bg-bg shadow-xl shadow-black/15 outline-none"
        >
          <header className="flex h-13 shrink-0 items-center gap-3 border-b border-line pr-2 pl-4 sm:pl-6">
            <Base.Title className="min-w-0 text-lg font-semibold">
              <Name>{data?.container_name ?? `Container ${id}`}</Name>
            </Base.Title>
            <Link
              to="/containers/$id"
              params={{ id }}
              className="ml-auto shrink-0 text-sm text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink"
            >
              Go to container
            </Link>
            <Base.Close render={<IconButton icon={X} label="Close" />} />
          </header>
          {/* Has the focus first, so that keys scroll it. */}
          <div ref={content} tabIndex={-1} className="overflow-y-auto px-4 pb-8 outline-none sm:px-6">
            {error !== null && (
              <ErrorNote
                what={isApiError(error, "not_found") ? "No data yet." : "Could not load details."}
                error={error}
                onRetry={() => void refetch()}
              />
            )}
            {data !== undefined && <UpdateDetails update={data} />}
            {data === undefined && error === null && (
              <div className="mt-6">
                <SkeletonRows count={8} label="Loading details" />
              </div>
            )}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
