import { useQuery, useQueryClient } from "@tanstack/react-query";
import { excludes, withoutTag } from "../../../../src/contract/image-pattern.ts";
import { UPDATE_BOUNDS } from "../../../../src/contract/updates.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { containersQuery } from "../../api/queries.ts";
import { excludeImage } from "../../api/updates.ts";
import { countOf } from "../../format/number.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/forms/form-dialog.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { readPattern } from "./exclusion-draft.ts";

/** Leaves images out by their name. */
export function ExcludeDialog({ update, onClose }: { update: UpdateRecord; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { draft, change, fault, form } = useDraft({
    initial: { image: withoutTag(update.image) },
    read: readPattern,
    save: excludeImage,
    fields: ["image"],
    onSaved() {
      void queryClient.invalidateQueries({ queryKey: ["updates"] });
      onClose();
    },
  });
  return (
    <FormDialog title="Exclude image" action="Exclude" failure="The image was not excluded." {...form} onClose={onClose}>
      <p className="text-ink-2">Containers of excluded images are not checked for updates. Undo this under Excluded images.</p>
      <TextField
        label="Image"
        isRequired
        hint="* matches any text, ? one character."
        fault={fault("image")}
        dir="ltr"
        maxLength={UPDATE_BOUNDS.patternLength}
        className="font-mono text-sm"
        value={draft.image}
        onChange={(image) => change({ image })}
      />
      <Matches pattern={draft.image.trim()} />
    </FormDialog>
  );
}

/** Whom a pattern would hold, as far as containers are known here. */
export function Matches({ pattern }: { pattern: string }) {
  const { data } = useQuery(containersQuery());
  const all = data?.groups.flatMap(({ containers }) => containers) ?? [];
  const held = pattern === "" ? [] : all.filter(({ image }) => excludes(pattern, image));
  const names = held.slice(0, 3).map(({ name }) => name);
  return (
    <p role="status" className="min-h-10 text-sm wrap-anywhere text-ink-2">
      {data !== undefined && (
        <>
          {held.length === 0 ? "Matches no container now." : `Matches ${countOf(held.length, "container")}: `}
          {names.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <bdi>{name}</bdi>
            </span>
          ))}
          {held.length > names.length && ` and ${held.length - names.length} more`}
          {held.length > 0 && "."}
        </>
      )}
    </p>
  );
}
