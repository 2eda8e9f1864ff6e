import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { UPDATE_BOUNDS } from "../../../../src/contract/updates.ts";
import type { ExclusionRecord } from "../../../../src/monitoring/updates/answers.ts";
import { excludeImage, exclusionsQuery, removeExclusion } from "../../api/updates.ts";
import { countOf } from "../../format/number.ts";
import { Age } from "../../ui/age.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useDraft } from "../../ui/forms/use-draft.ts";
import { Matches } from "../../entities/updates/exclude-dialog.tsx";
import { readPattern } from "../../entities/updates/exclusion-draft.ts";

/** The images that are left out, with a way to add one and to take each back. */
export function ExclusionsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(exclusionsQuery);
  const [hasDraft, setHasDraft] = useState(false);
  return (
    <Dialog open onClose={onClose} title="Excluded images" hasChanges={hasDraft}>
      <p className="text-ink-2">
        Containers of these images are not checked for updates. Exclude a single container with the label{" "}
        <code className="font-mono text-xs text-ink">service.update.enabled: "false"</code>.
      </p>
      <AddExclusion onDraft={setHasDraft} />
      {error !== null && <ErrorNote what="Could not load excluded images." error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows count={3} label="Loading excluded images" />}
      {data !== undefined && data.exclusions.length === 0 && <p className="border-t border-line py-3 text-ink-2">No excluded images.</p>}
      {data !== undefined && data.exclusions.length > 0 && (
        <ul aria-label="Excluded images">
          {data.exclusions.map((exclusion) => (
            <Row key={exclusion.id} exclusion={exclusion} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Row({ exclusion: { id, image, matches, created_at } }: { exclusion: ExclusionRecord }) {
  const queryClient = useQueryClient();
  const removing = useMutation({
    mutationFn: () => removeExclusion(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["updates"] }),
  });
  return (
    <li className="border-t border-line">
      <div className="flex min-h-11 items-center gap-3">
        <div className="min-w-0 flex-1 py-1.5">
          <bdi className="font-mono text-sm wrap-anywhere">{image}</bdi>
          <p className="text-xs text-ink-2 tabular-nums">
            {matches === 0 ? "matches no container" : `matches ${countOf(matches, "container")}`}, since <Age at={created_at} />
          </p>
        </div>
        <IconButton icon={Trash2} label={`Stop excluding ${image}`} disabled={removing.isPending} onClick={() => removing.mutate()} />
      </div>
      {removing.isError && <ErrorNote what="The image is still excluded." error={removing.error} />}
    </li>
  );
}

function AddExclusion({ onDraft }: { onDraft: (hasDraft: boolean) => void }) {
  const queryClient = useQueryClient();
  const [round, setRound] = useState(0);
  return (
    <AddForm
      key={round}
      onDraft={onDraft}
      onSaved={() => {
        onDraft(false);
        void queryClient.invalidateQueries({ queryKey: ["updates"] });
        setRound(round + 1);
      }}
    />
  );
}

function AddForm({ onDraft, onSaved }: { onDraft: (hasDraft: boolean) => void; onSaved: () => void }) {
  const { draft, change, fault, submit, form } = useDraft({
    initial: { image: "" },
    read: readPattern,
    save: excludeImage,
    fields: ["image"],
    onSaved,
  });
  return (
    <form
      noValidate
      className="mt-3 mb-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <Field label="Image" isRequired hint="* matches any text, ? one character." fault={fault("image")}>
          {(control) => (
            <TextInput
              {...control}
              dir="ltr"
              maxLength={UPDATE_BOUNDS.patternLength}
              placeholder="registry.lan:5000/team/*"
              className="font-mono text-sm"
              value={draft.image}
              onChange={({ target: { value } }) => {
                change({ image: value });
                onDraft(value.trim() !== "");
              }}
            />
          )}
        </Field>
        <Button type="submit" className="mt-5" disabled={form.isSaving}>
          {form.isSaving ? "Saving" : "Exclude"}
        </Button>
      </div>
      {draft.image.trim() !== "" && <Matches pattern={draft.image.trim()} />}
      {form.error !== null && !form.isShownAtFields && <ErrorNote what="The image was not excluded." error={form.error} />}
    </form>
  );
}
