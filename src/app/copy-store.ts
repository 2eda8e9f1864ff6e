import type { Config } from "../config/config.ts";
import { capitalise } from "../contract/words.ts";
import { systemClock } from "../platform/clock.ts";
import { StartError } from "../platform/errors.ts";
import { copyInto } from "../storage/transfer/index.ts";
import { configuredStore, openSource, openTarget, storeAt } from "./stores.ts";

/** Copies the configured database into an empty one, which may be of the other kind; resumes an interrupted copy. */
export async function copyStore(config: Config): Promise<number> {
  const to = config.copyTo?.reveal();
  if (to === undefined) throw new StartError("copy-store: needs --to URL, the database to copy to");
  const source = await openSource(configuredStore(config), { clock: systemClock, alone: true });
  try {
    const target = await openTarget(storeAt(to), systemClock);
    try {
      const { tables, rows, resumedRows } = await copyInto(target, source, () =>
        process.stderr.write("The source has changed since the copy was interrupted: the copy begins again.\n"),
      );
      const resumed = resumedRows === 0 ? "" : ` ${resumedRows} of them were there from an interrupted copy.`;
      process.stdout.write(
        `Copied ${rows} rows of ${tables} tables to ${target.where}; the counts are the same.${resumed} ${capitalise(source.where)} is unchanged. ` +
          `The files of the data folder belong to both.\n`,
      );
      return 0;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
