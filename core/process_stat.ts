/**
 * One line of Linux's `/proc/<pid>/stat`, as far as the end of a process group needs it.
 *
 * This file decides whether such a line is of a living member. The adapters read the lines: a group whose
 * processes have all ended, but which nobody reaps, still answers to signals.
 *
 * @module
 */

/**
 * Whether `stat`, the content of one `/proc/<pid>/stat`, is of a process of `group` that has not ended. The program's
 * name in it may hold spaces and brackets. An unreadable text is of no such process.
 *
 * @see {@link https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html}
 */
export function isLivingMember(stat: string, group: number): boolean {
  const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(itsGroup) === group && !["Z", "X", "x"].includes(state ?? "");
}
