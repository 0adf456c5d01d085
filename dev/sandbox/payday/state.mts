/** Sample data of a payroll day: runs, mail addresses, hours of a period, and reports in the making. */

/** Hours that an employee has in a period. */
interface Hours {
	id: number;
	code: number;
	/** As written. */
	hours: string;
}

/** A payroll run of company 100. */
export interface Run {
	id: number;
	year: number;
	period: number;
	/** The last one does not exist any more, and the one before it has no payslip. */
	employees: readonly number[];
}

/** A report that is made in the background. */
export interface Task {
	company: number;
	year: number;
	/** How often it was asked for. */
	asked: number;
}

const runOf = (id: number, period: number): Run => ({
	...{ id, year: 2026, period },
	employees: [1001, 1002, 1003, 1004, 1005, 1006, 1007, 9001],
});

export class Payday {
	readonly runs: readonly Run[] = [runOf(7101, 5), runOf(7102, 6)];
	readonly tasks = new Map<string, Task>();
	readonly #hours = new Map<string, Hours[]>();
	#lastId = 8000;

	/** Gives the hours of an employee in a period: one row from the beginning, in period 6 of 2026. */
	hours(employee: number, period: number, year: number): Hours[] {
		const key = [employee, period, year].join();
		const sample = { id: employee, code: 2100, hours: '8' };
		const found = this.#hours.get(key) ?? (period === 6 && year === 2026 ? [sample] : []);
		this.#hours.set(key, found);
		return found;
	}

	/** Gives an identifier not used before. */
	newId(): number {
		return (this.#lastId += 1);
	}
}

const addresses: Readonly<Record<number, string | undefined>> = {
	1003: undefined,
	1005: 'home.1005@payroll.example, home.1001@payroll.example',
	1006: 'Home.1002@payroll.example',
};

/**
 * Takes an employee, and the usual private address; gives the one in the employee's record: 1003 has none,
 * 1005 two in one, and 1006 that of 1002.
 */
export function privateAddress(employee: number, usual: string | undefined): string | undefined {
	return employee in addresses ? addresses[employee] : usual;
}
