/** Writes a PDF of one page. */

/** Takes a line of plain text; gives the file in base64. */
export function pdf(line: string): string {
	const content = `BT /F1 18 Tf 60 760 Td (${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R' +
			' /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
		`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
	];
	let file = '%PDF-1.4\n';
	const places = objects.map((object, index) => {
		const place = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return `${String(place).padStart(10, '0')} 00000 n \n`;
	});
	const table = file.length;
	file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
	file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
	return Buffer.from(file, 'latin1').toString('base64');
}
