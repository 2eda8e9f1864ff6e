import { useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { renameFault } from "./edit-views.ts";
import { VIEW_BOUNDS, type SavedView } from "./saved-views.ts";

interface Properties {
  view: SavedView;
  views: readonly SavedView[];
  /** It is what the page shows, so that there is nothing to replace it with. */
  isShown: boolean;
  onReplace: () => void;
  onRename: (to: string) => void;
  onDelete: () => void;
}

/** A saved view, and what can be done with it. */
export function SavedViewRow({ view: { name }, views, isShown, onReplace, onRename, onDelete }: Properties) {
  const [isRenaming, setRenaming] = useState(false);
  const rename = useRef<HTMLButtonElement>(null);

  function leave(): void {
    setRenaming(false);
    requestAnimationFrame(() => rename.current?.focus());
  }

  return (
    <li className="border-t border-line py-1">
      {isRenaming ? (
        <RenameForm
          name={name}
          views={views}
          onCancel={leave}
          onRename={(to) => {
            if (to.trim() === name) return leave();
            setRenaming(false);
            onRename(to);
          }}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-x-1">
          <span className="min-w-32 flex-1 truncate py-1 max-md:basis-full">
            <bdi title={name}>{name}</bdi>
            {isShown && <span className="text-xs text-ink-2"> · shown now</span>}
          </span>
          <Button
            kind="quiet"
            className="max-md:h-10"
            disabled={isShown}
            title="Save what is shown now under this name"
            onClick={onReplace}
          >
            Replace<span className="sr-only"> {name}</span>
          </Button>
          <Button ref={rename} kind="quiet" className="max-md:h-10" onClick={() => setRenaming(true)}>
            Rename<span className="sr-only"> {name}</span>
          </Button>
          <Button kind="quiet" className="max-md:h-10" onClick={onDelete}>
            Delete<span className="sr-only"> {name}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

interface FormProperties {
  name: string;
  views: readonly SavedView[];
  onCancel: () => void;
  onRename: (to: string) => void;
}

function RenameForm({ name, views, onCancel, onRename }: FormProperties) {
  const [to, setTo] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const fault = renameFault(views, name, to);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      noValidate
      className="py-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === undefined) onRename(to);
      }}
    >
      <Field label={`Rename ${name}`} fault={fault}>
        {(control) => (
          <div className="flex gap-2">
            <TextInput
              {...control}
              ref={field}
              className="max-md:h-10"
              maxLength={VIEW_BOUNDS.nameLength}
              value={to}
              onChange={(event) => setTo(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Escape") return;
                // Escape closes the window elsewhere; here it leaves the field.
                event.preventDefault();
                event.stopPropagation();
                onCancel();
              }}
            />
            <Button type="submit" className="max-md:h-10">
              Rename
            </Button>
            <Button kind="quiet" className="max-md:h-10" onClick={onCancel}>
              Cancel
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
