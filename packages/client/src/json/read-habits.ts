/** Number of objects that stay lazy before any of their members is parsed at once. */
const leastObjects = 16;
/** Number of objects that are remembered, so that a change shows soon. Older ones count half. */
const mostObjects = 1024;
/** One object of so many stays lazy throughout, which shows whether its members are still read. */
const sampleEvery = 64;
/**
 * A member that is read of this share of the objects is parsed at once. The first read of a lazy
 * one takes 1.09 times its parse, so that above nine tenths laziness costs time; below, it saves
 * memory.
 */
const readShare = 0.75;
/** Number of members that are remembered. Authors of custom resources choose the names. */
const maxMembers = 64;

interface Habit {
  /** Number of objects with this member unread. */
  lazy: number;
  /** Number of those whose member was read afterwards. */
  read: number;
}

/**
 * Members of a collection's objects that the program reads of most objects. They are parsed with
 * the object, which takes less time than parsing them on first access.
 */
export class ReadHabits {
  readonly #byName = new Map<string, Habit>();
  #objects = 0;

  /** Counts an object. Returns whether all of its large members are to be lazy. */
  isSample(): boolean {
    return this.#objects++ % sampleEvery === 0;
  }

  /** Whether the program reads this member of most objects. */
  isRead(name: string): boolean {
    const habit = this.#byName.get(name);
    return habit !== undefined && isReadMostly(habit);
  }

  /** Whether the program reads all members that were lazy, of most objects. */
  areAllRead(): boolean {
    for (const habit of this.#byName.values()) if (!isReadMostly(habit)) return false;
    return this.#byName.size > 0;
  }

  /** Counts a member that an object has unread. */
  countLazy(name: string): void {
    const habit = this.#byName.get(name);
    if (habit === undefined) {
      if (this.#byName.size < maxMembers) this.#byName.set(name, { lazy: 1, read: 0 });
      return;
    }
    habit.lazy++;
    if (habit.lazy < mostObjects) return;
    habit.lazy /= 2;
    habit.read /= 2;
  }

  /** Counts the first access to a lazy member. */
  countRead(name: string): void {
    const habit = this.#byName.get(name);
    if (habit !== undefined && habit.read < habit.lazy) habit.read++;
  }
}

function isReadMostly({ lazy, read }: Habit): boolean {
  return lazy >= leastObjects && read >= lazy * readShare;
}
