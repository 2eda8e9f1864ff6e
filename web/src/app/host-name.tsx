import { classNames } from "../ui/class-names.ts";
import { hostId } from "./host-id.ts";
import { useHostName } from "./hosts.ts";

/** How the host of something is called, quietly behind its name. */
export function HostName({ of, className }: { of: { agent_id: string | null }; className?: string }) {
  const name = useHostName()(hostId(of));
  return (
    <bdi title={`On ${name}`} className={classNames("max-w-[16ch] shrink-0 truncate text-xs text-ink-3", className)}>
      {name}
    </bdi>
  );
}
