//! What is asked of a machine of one kind, whatever its items are.

/// What is asked of the model itself.
macro_rules! both {
    ($machine:expr, $kind:ident, $model:ident => $asked:expr) => {
        match &$machine.saved {
            mercer::io::LoadedModel::Rows(mercer::io::SavedModel {
                model: mercer::io::AnyModel::Matrix(mercer::io::MatrixModel::$kind($model)),
                ..
            }) => $asked,
            mercer::io::LoadedModel::Structures(mercer::io::SavedModel {
                model: mercer::io::AnyModel::Matrix(mercer::io::MatrixModel::$kind($model)),
                ..
            }) => $asked,
            _ => return Err($crate::errors::raised($crate::saved::no_machine())),
        }
    };
}

/// What is asked of it about items of the kind that it has seen; rows are scaled first where those of the training were.
macro_rules! given {
    ($machine:expr, $kind:ident, $rows:ident, $model:ident, $items:ident => $asked:expr) => {
        match (&$machine.saved, $rows.structures()) {
            (mercer::io::LoadedModel::Rows(saved), None) => {
                let mercer::io::AnyModel::Matrix(mercer::io::MatrixModel::$kind($model)) = &saved.model
                else {
                    return Err($crate::errors::raised($crate::saved::no_machine()));
                };
                let given = $rows.vectors()?.map_err($crate::errors::raised)?;
                let scaled = saved.scaling.as_ref().map(|_| saved.prepare(&given)).transpose();
                let scaled = scaled.map_err($crate::errors::raised)?;
                let $items = scaled.as_ref().unwrap_or(&given);
                $asked
            }
            (
                mercer::io::LoadedModel::Structures(mercer::io::SavedModel {
                    model: mercer::io::AnyModel::Matrix(mercer::io::MatrixModel::$kind($model)),
                    ..
                }),
                Some($items),
            ) => $asked,
            _ => return Err($crate::errors::raised($crate::saved::other_items())),
        }
    };
}
pub(crate) use {both, given};
