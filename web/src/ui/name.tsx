import { classNames } from "./class-names.ts";

/** A name from outside: kept on one line, isolated from the direction of what stands around it, whole in its title. */
export function Name({ children, className }: { children: string; className?: string }) {
  return (
    <bdi title={children} className={classNames("block truncate text-left", className)}>
      {children}
    </bdi>
  );
}
