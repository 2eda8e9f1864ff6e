import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { ServiceRecord } from "../../../../src/monitoring/swarm/answers.ts";
import { asObserved, modeWord, replicasText, servicePorts, serviceStatus } from "../../format/service-status.ts";
import { Age } from "../../ui/age.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ImageName } from "../../ui/image-name.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusWord } from "../../ui/status-word.tsx";

/** The columns of the list, more of them the wider the screen; on a phone a row has two lines instead. */
export const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.4fr)_96px_72px] xl:grid-cols-[minmax(0,1.2fr)_minmax(0,1.2fr)_minmax(0,1.5fr)_96px_minmax(0,0.8fr)_96px_72px]";

/** One service. It renders again only when its record is another one. */
export const ServiceRow = memo(function ServiceRow({ service, isObserved }: { service: ServiceRecord; isObserved: boolean }) {
  const status = asObserved(serviceStatus(service), isObserved);
  const ports = servicePorts(service.ports).join(", ");
  return (
    <div
      role="row"
      className={classNames(
        COLUMNS,
        "relative h-(--row-narrow) grid-cols-[minmax(0,1fr)_auto] border-t border-line max-md:-mx-4 max-md:content-center max-md:gap-y-0.5 max-md:px-4 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:h-(--row) md:px-2.5",
      )}
    >
      <div role="cell" className="min-w-0">
        <Link
          to="/swarm/services/$id"
          params={{ id: service.id }}
          className="block min-w-0 font-[550] outline-none after:absolute after:inset-0"
        >
          <Name>{service.name}</Name>
        </Link>
      </div>
      <div role="cell" className="text-ink-2 max-xl:hidden">
        <ImageName image={service.image} />
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div role="cell" className="text-right tabular-nums">
        <Changed value={replicasText(service)}>{replicasText(service)}</Changed>
      </div>
      <div role="cell" className="truncate text-ink-2 tabular-nums max-xl:hidden" title={ports}>
        {ports}
      </div>
      <div role="cell" className="text-ink-2 max-xl:hidden">
        {modeWord(service)}
      </div>
      <div role="cell" className="text-right text-ink-2 max-md:order-4 max-md:text-xs">
        {service.updated_at !== null && <Age at={service.updated_at} />}
      </div>
    </div>
  );
});
