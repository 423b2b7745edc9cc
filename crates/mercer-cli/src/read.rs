//! A file that something is said about, row by row or item by item.

use mercer::data::{
    Collection, Contents, Items, Remarks, Scaling, ScalingKind, StructureTable, Targets, Vectors,
};
use mercer::gram::CollectionKernel;
use mercer::kernel::Expression;
use mercer::{Error, Result};

use crate::arguments::DataArguments;
use crate::failure::Failure;
use crate::{precomputed, remarks, source, structures};

/// A file to be told about, read as the kernel wants it.
#[allow(clippy::large_enum_variant, reason = "there is one for a file")]
pub enum Read {
    Rows {
        kernel: Expression,
        rows: Vectors<'static>,
        targets: Targets,
        target_name: Option<String>,
        remarks: Remarks,
    },
    Collection {
        kernel: CollectionKernel,
        items: Collection<'static>,
        targets: Targets,
        dropped: Vec<usize>,
    },
}

impl Read {
    pub fn new(data: &DataArguments, kernel: &str, unscaled: bool) -> std::result::Result<Self, Failure> {
        let (path, reading) = (&data.data, &data.reading);
        if let Some((kernel, table)) = structures::asked(kernel, data)? {
            if unscaled {
                let kind = kernel.expression().kind();
                let what = format!("--unscaled is for rows of numbers: the kernel compares {kind}");
                return Err(Failure::Usage(Error::Unsupported { what }));
            }
            let StructureTable { items, targets, dropped, .. } = table;
            return Ok(Read::Collection { kernel, items, targets, dropped });
        }
        if reading.text.is_some() {
            let what = "--text is for kernels on strings and trees: this one compares rows of numbers".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        let kernel: Expression = kernel.parse().map_err(Failure::Usage)?;
        let Contents::Table(table) = source::read(path, &reading.options())? else {
            return Err(precomputed::kernel_values(path).into());
        };
        remarks::tell(&table.remarks);
        let rows = match unscaled {
            true => table.vectors,
            false => scaled(&table.vectors).map_err(|error| error.in_file(source::name(path)))?,
        };
        let (targets, target_name, remarks) = (table.targets, table.target_name, table.remarks);
        Ok(Read::Rows { kernel, rows, targets, target_name, remarks })
    }

    /// The number of each row or item in the file, from 1: some may be left out.
    pub fn numbers(&self) -> Vec<usize> {
        let (count, numbers) = match self {
            Read::Rows { rows, remarks, .. } => (rows.len(), remarks.numbers(rows.len())),
            Read::Collection { items, dropped, .. } => {
                let remarks = Remarks { dropped: dropped.clone(), ..Remarks::default() };
                (items.len(), remarks.numbers(items.len()))
            }
        };
        numbers.unwrap_or_else(|| (0..count).collect()).into_iter().map(|row| row + 1).collect()
    }
}

/// Columns of mean 0 and deviation 1; of sparse rows, of at most 1 in size.
pub fn scaled(rows: &Vectors<'static>) -> Result<Vectors<'static>> {
    let kind = match rows {
        Vectors::Sparse(_) => ScalingKind::MaxAbs,
        _ => ScalingKind::Standardise,
    };
    Scaling::fit(kind, rows)?.apply(rows)
}
