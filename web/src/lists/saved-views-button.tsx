import { Bookmark } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../ui/class-names.ts";
import { MenuButton } from "../ui/menu.tsx";

/** The name of the view that is shown; on a phone beside an icon. */
export function SavedViewsButton({ name, className, ...rest }: ComponentProps<"button"> & { name: string | undefined }) {
  return (
    <MenuButton active={name !== undefined} className={classNames("max-w-48", className)} {...rest}>
      <Bookmark size={14} aria-hidden className="inline align-[-2px] md:hidden" />{" "}
      {name === undefined ? (
        <span className="max-md:sr-only">Saved views</span>
      ) : (
        <>
          <span className="max-md:sr-only">View: </span>
          <bdi>{name}</bdi>
        </>
      )}
    </MenuButton>
  );
}
