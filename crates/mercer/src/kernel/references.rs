//! Reference sets of centred kernels, taken out of an expression and put back, as model files need it.

use std::sync::Arc;

use crate::data::Vectors;
use crate::error::{Error, Result};
use crate::kernel::Expression;

impl Expression {
    /// The reference rows of every `centre` in it, outermost first and from left to right: what a model file
    /// keeps beside the expression. `None` where one is not known yet.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// let rows = Vectors::from_rows(&[[1.0], [3.0]])?;
    /// let kernel = "centre(linear)".parse::<Expression>()?.resolve(&rows)?;
    /// let references = kernel.references();
    /// let read_back = "centre(linear)".parse::<Expression>()?.with_references(references)?;
    /// assert_eq!(read_back, kernel);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn references(&self) -> Vec<Option<Arc<Vectors<'static>>>> {
        let mut references = Vec::new();
        if let Expression::Centre(k) = self {
            references.push(k.reference().cloned());
        }
        references.extend(self.children().iter().flat_map(Expression::references));
        references
    }

    /// Puts back what [`references`](Expression::references) took out.
    ///
    /// # Errors
    /// [`Error::Shape`] if the number of references is not that of the `centre`s.
    pub fn with_references(&self, references: Vec<Option<Arc<Vectors<'static>>>>) -> Result<Expression> {
        let expected = self.references().len();
        if references.len() != expected {
            return Err(Error::Shape {
                what: "reference sets of centred kernels",
                expected,
                found: references.len(),
            });
        }
        self.put_back(&mut references.into_iter())
    }

    fn put_back(
        &self,
        references: &mut impl Iterator<Item = Option<Arc<Vectors<'static>>>>,
    ) -> Result<Expression> {
        let own = match self {
            Expression::Centre(_) => references.next().flatten(),
            _ => None,
        };
        match self.map_children(|child| child.put_back(references))? {
            Expression::Centre(k) => Ok(k.with_reference(own).into()),
            kernel => Ok(kernel),
        }
    }
}
