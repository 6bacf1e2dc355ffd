import { deviceCount, plural, rowCount } from './plural.ts';

export const importing = {
  title: 'Import devices',
  back: 'Back to devices',
  steps: { label: 'Steps', file: 'File', columns: 'Columns', check: 'Dry run', import: 'Import' },
  file: {
    drop: 'Drop a CSV or GeoJSON file here',
    drop_touch: 'Choose a CSV or GeoJSON file',
    text: 'One row per device, below a row of column names. Name and machine type (PC, Bug or Smartphone) are required. Description, longitude and latitude are optional. Nothing is imported until you have checked the result.',
    choose: 'Choose file',
    example: 'Download an example',
    example_name: 'devices.csv',
    mine: 'Download as CSV',
    mine_name: 'my devices.csv',
    mine_geojson: 'Download as GeoJSON',
    mine_geojson_name: 'my devices.geojson',
    mine_text: 'To change many devices at once, download them as a file, edit it, and import it.',
    mine_failed: 'Your devices could not be loaded',
    another: 'Choose another file',
    rows: rowCount,
    kilobytes: (count: string) => `${count} kB`,
    megabytes: (count: string) => `${count} MB`,
    separators: { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' },
    encodings: {
      'utf-8': 'UTF-8',
      'windows-1252': 'Windows-1252 (Western Europe)',
      'utf-16le': 'UTF-16',
      'utf-16be': 'UTF-16 BE',
      'windows-1250': 'Windows-1250 (Central Europe)',
      'windows-1251': 'Windows-1251 (Cyrillic)',
      macintosh: 'Mac Roman',
      shift_jis: 'Shift JIS (Japanese)',
      gb18030: 'GB 18030 (Chinese)',
    },
    encoding: (encoding: string, separator: string) => `${encoding}, ${separator}`,
    error_title: 'This file can’t be imported',
    errors: {
      empty: 'The file is empty.',
      no_rows: 'The file has column names, but no rows below them.',
      not_text:
        'This is not a text file. Only CSV and GeoJSON files can be imported. In a spreadsheet, choose “Save as” and then CSV UTF-8; of a ZIP or KMZ file, extract the files first.',
      xml: 'GPX, KML and other XML files can’t be imported. Convert the file to CSV or GeoJSON.',
      wrong_encoding: 'The file can’t be read in this encoding. The previous encoding is still used.',
      broken: 'The first row can’t be read: a quotation mark is not closed.',
      not_json: 'The file is not complete JSON. Download or copy it again.',
      not_geojson: 'This is not a GeoJSON FeatureCollection of points.',
      other_coordinates:
        'This file uses another coordinate system. Export it again with longitude and latitude in WGS 84 (EPSG:4326).',
      too_large: 'The file is larger than 50 MB. Split it, or ask the server’s operator to import it.',
      not_known: 'The file contains device IDs, but your devices could not be loaded. Try again.',
      unreadable: 'The browser could not read the file. It may have been moved or changed. Choose it again.',
    },
    before: 'This file was imported on {date}: {devices}. Importing it again creates duplicates.',
    devices: deviceCount,
  },
  columns: {
    title: 'Columns',
    separator: 'Separator',
    encoding: 'Encoding',
    header: 'Column names',
    /** `start`: what the line begins with. */
    header_line: (line: string, start: string) => `line ${line}: ${start}`,
    above: (count: number) =>
      plural(count, {
        one: '# line above the column names is not imported: {lines}.',
        other: '# lines above the column names are not imported: {lines}.',
      }),
    /** `form`: an encoding and a separator. `line`: that of the column names. */
    corrected: (count: number, form: string, line: string) =>
      plural(count, {
        one: `# corrected row belongs to ${form}, with column names in line ${line}. Choose these again to get it back.`,
        other: `# corrected rows belong to ${form}, with column names in line ${line}. Choose these again to get them back.`,
      }),
    quoted: (text: string) => `“${text}”`,
    letter_o: 'O in longitudes',
    letters_o: { east: 'east (Ost)', west: 'west (ouest, oeste, ovest)' },
    choose: 'Choose…',
    machine_types: 'Machine types',
    machine_types_text: 'The file has machine types that this server doesn’t have. Choose one for each.',
    type_of_all: 'Machine type of all rows',
    type_of_new: 'Machine type of new devices',
    other_types: 'All others',
    other_types_and_untyped: 'All others, and rows without a machine type',
    untyped: 'Rows without a machine type',
    machine_type_of: (type: string) => `Import the machine type ${type} as`,
    rows: rowCount,
    foreign_ids: '“{column}” has no IDs of this server, so it is not imported.',
    used: (used: string, all: string) => `${used} of ${all} used`,
    column: 'Column',
    goes_to: 'Import as',
    first: 'First value',
    nameless: (number: string) => `column ${number}`,
    goes_to_of: (name: string) => `Import ${name} as`,
    /** The other columns have the names of the device's fields. */
    uses: { id: 'Device ID', changed_at: 'Last change', skip: 'Don’t import' },
  },
  check: {
    title: 'Dry run',
    nothing_written: 'nothing imported yet',
    reading: (percent: string) => `Reading… ${percent}%`,
    lacking: 'Choose a column for {columns} to see the result.',
    lacking_type: 'If no column has the machine type, choose one for all rows.',
    fresh: 'new',
    changed: 'to update',
    same: 'unchanged',
    with_errors: 'with errors',
    errors: 'Rows with errors',
    changes: 'Devices to update',
    changed_more: (count: string) => `Only the first ${count} are listed.`,
    /** A field of a device: the old and the new value. */
    nothing: 'empty',
    newer: 'changed after the export',
    newer_note: (count: number) =>
      plural(count, {
        one: '# device was changed after this file was exported. The import overwrites that change.',
        other: '# devices were changed after this file was exported. The import overwrites these changes.',
      }),
    leave_out: 'Leave these rows out',
    left_newer: (count: number) =>
      plural(count, {
        one: '# row is left out because its device was changed after this file was exported.',
        other: '# rows are left out because their devices were changed after this file was exported.',
      }),
    include: 'Include these rows',
    repeated_note: (count: number) =>
      plural(count, {
        one: '# row is identical to another one: {lines}. The import creates a device for each.',
        other: '# rows are identical to other ones: {lines}. The import creates a device for each.',
      }),
    new_devices: 'New devices',
    unplaced: 'no position',
    unplaced_note: (count: number) =>
      plural(count, {
        one: '# new device has no position: {names}.',
        other: '# new devices have no position: {names}.',
      }),
    at_zero_note: (count: number) =>
      plural(count, {
        one: '# new device is at 0, 0, in the sea off Africa: {names}. Check whether its position is known.',
        other: '# new devices are at 0, 0, in the sea off Africa: {names}. Check whether their positions are known.',
      }),
    more_rows: (count: string) => `${count} more`,
    left_repeated: (count: number) =>
      plural(count, {
        one: '# row is left out because it is identical to another one.',
        other: '# rows are left out because they are identical to other ones.',
      }),
    known_note: (count: number) =>
      plural(count, {
        one: '# row has the name of a device that you already have, or of a row above: {names}. The import creates another device.',
        other:
          '# rows have the names of devices that you already have, or of rows above: {names}. The import creates another device for each.',
      }),
    left_known: (count: number) =>
      plural(count, {
        one: '# row is left out because a device that you already have, or a row above, has its name.',
        other: '# rows are left out because devices that you already have, or rows above, have their names.',
      }),
    not_compared:
      'Your devices could not be loaded. Rows with the names of devices that you already have can’t be recognised.',
    feature: (number: string) => `feature ${number}`,
    fix_feature: (number: string) => `Fix feature ${number}`,
    show_feature: (number: string) => `Show feature ${number}`,
    line: (line: string) => `line ${line}`,
    fix: 'Fix',
    show: 'Show',
    show_line: (line: string) => `Show line ${line}`,
    fix_line: (line: string) => `Fix line ${line}`,
    left_out: 'Rows with errors are skipped. You can download them as a file.',
    none: 'No row has an error.',
    more: (count: string) => `Only the first ${count} are listed. The downloaded file has all of them.`,
    save: 'Download rows with errors',
    saved_name: (name: string) => `${name} errors.csv`,
    problem: 'problem',
  },
  row_errors: {
    not_yours: '“{value}” is not one of your devices',
    not_exported:
      '“{value}” is not a time as an export writes it. Export again. To overwrite newer changes, don’t import this column.',
    twice: '“{value}” is already in a row above',
    missing: { name: 'empty; a name is required', machine_type: 'empty; must be PC, Bug or Smartphone' },
    missing_coordinate: 'empty; a position needs latitude and longitude',
    invisible: 'has no visible characters',
    too_long: (most: string) => `longer than ${most} characters`,
    not_utf8: 'unreadable; choose another encoding, or save the file as CSV UTF-8',
    unprintable: 'contains a control character',
    unknown: '“{value}” is not PC, Bug or Smartphone',
    geometry: 'the geometry is a {value}; only points can be imported',
    not_a_number: '“{value}” is not a number of degrees such as 8.5492',
    no_pair: '“{value}” is not a latitude and a longitude such as 47.4583, 8.5492',
    letter_o: '“{value}”: under Columns, choose whether O is east or west',
    out_of_range: (most: string) => `“{value}” is outside −${most} to ${most}` as const,
    swapped: (most: string) => `“{value}” is outside −${most} to ${most}; swapped?` as const,
    no_interval:
      '“{value}” is neither 0 (never) nor a whole number of seconds from 60 to 2592000, also as 5 min, 1 h or 1 d',
    no_time: '“{value}” is not a time with its zone such as 2026-01-02T03:04:05Z',
    no_accuracy: '“{value}” is not a number of metres',
    no_answer: '“{value}” is not true or false',
    no_kept_values: '“{value}” is not one of sent_at, time',
    unnamed_column: '“{value}” is in a column without a name',
    too_many_cells: (fields: number, columns: number) =>
      `${plural(fields, { one: '# field', other: '# fields' })} for ${plural(columns, { one: '# column', other: '# columns' })}`,
    record_too_long: 'longer than 65,536 characters',
    quote_left_open: 'a quotation mark is not closed',
    text_after_quote: 'text after a closing quotation mark; double the quotation marks inside quoted text',
  },
  fixing: {
    shown_text: 'This row is not imported. After the import, you can correct the rows that are left.',
    text: 'The corrected row is imported with the others. Your file is not changed.',
    field: (number: string) => `Field ${number}`,
    save: 'Save',
    beyond: 'There is no column for this field. Move or clear its text.',
    in_file: 'In the file: {line}',
  },
  start: {
    title: 'Import',
    text: (count: number) =>
      plural(count, {
        one: '# device will be added to your account.',
        other: '# devices will be added to your account.',
      }),
    left: (count: number) =>
      plural(count, { one: '# row with errors will be skipped.', other: '# rows with errors will be skipped.' }),
    nothing: 'No rows can be imported.',
    nothing_new: 'There is nothing to import: your devices already have these values.',
    start: (count: number, changes: boolean) =>
      count === 0 ? 'Import' : `Import ${changes ? rowCount(count) : deviceCount(count)}`,
    changed: (count: number) =>
      plural(count, { one: '# of your devices will be changed.', other: '# of your devices will be changed.' }),
    quota: (allowed: string, room: string, adding: string) =>
      `Your account can have up to ${allowed} devices. Only ${room} of the ${adding} new devices can be added. The other rows will fail.`,
  },
  records: {
    text: 'The file switches recordings off. They end, and this is deleted. The undo of the import does not bring it back.',
    tracks: (count: number) => plural(count, { one: 'The track of # device', other: 'The tracks of # devices' }),
    values: (count: number) =>
      plural(count, { one: 'The recorded values of # device', other: 'The recorded values of # devices' }),
    start: 'Import and delete',
  },
  job: {
    uploading: 'Uploading {file}',
    pending: 'Importing {file}',
    running: 'Importing {file}',
    paused: 'Import of {file} paused',
    done: '{file} imported',
    stopped: 'Import of {file} stopped',
    percent: (percent: string) => `${percent}%`,
    progress: (done: string, all: string) => `${done} of ${all} rows`,
    left: (time: string) => `about ${time} left`,
    seconds: (count: string) => `${count} s`,
    minutes: (count: string) => `${count} min`,
    keep_open: 'Keep this tab open until the upload is complete.',
    postponed: 'Import of {file} waits',
    waits_here:
      'The server can’t be reached. This browser keeps the rows and sends them later, while Swarmdeck is open.',
    outlives: 'The server imports the rows. You can close this tab.',
    waiting: 'The server can’t store anything right now. The import continues by itself.',
    imported: (count: number) => plural(count, { one: '# row was imported.', other: '# rows were imported.' }),
    undoing: 'This import is being undone.',
    undone: 'This import was undone.',
    failed: (count: number) => plural(count, { one: '# row was not imported', other: '# rows were not imported' }),
    not_taken: (count: number) => plural(count, { one: '# row failed:', other: '# rows failed:' }),
    fix_rest: (count: number) =>
      plural(count, { one: 'Fix the row that is left', other: 'Fix the # rows that are left' }),
    rest_name: (name: string) => `${name} (rest)`,
    stop_title: 'Stop this import?',
    stop_text: (done: number, rest: number) =>
      `${plural(done, { one: '# imported device stays.', other: '# imported devices stay.' })} ${plural(rest, { one: '# row is not imported.', other: '# rows are not imported.' })}`,
    stop_confirm: 'Stop import',
    go_on: 'Keep importing',
  },
} as const;
